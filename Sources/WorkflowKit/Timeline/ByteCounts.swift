package import PlainValue
package import Workflow
import WorkflowLua

extension Value {
    /// About how many bytes it takes.
    package var byteCount: Int {
        if case .string(let text) = self { return text.utf8.count }
        return (try? encoded().byteCount) ?? 0
    }
}

extension TreeSnapshot {
    /// About how many bytes it takes.
    package var byteCount: Int { root.byteCount }
}

extension TreeSnapshot.Node {
    fileprivate var byteCount: Int {
        var bytes = 200
        if case .content(let content) = state, let scripted = content as? ScriptedState {
            bytes += scripted.state.byteCount
        }
        if case .content(let content) = inputs, let props = content as? PlainState {
            bytes += props.value.byteCount
        }
        return children.reduce(bytes) { $0 + $1.byteCount }
    }
}

extension SnapshotValue {
    /// The plain value of what a snapshot kept.
    var value: Value {
        if case .content(let content) = self, let plain = content as? PlainState {
            return plain.value
        }
        return (try? ValueEncoder().encode(self)) ?? .null
    }

    /// The state of a node, without the version that a scripted one has beside it.
    var stateValue: Value {
        if case .content(let content) = self, let scripted = content as? ScriptedState {
            return scripted.state
        }
        return value
    }
}
