import PlainValue
import Synchronization
import WorkflowKit

/// Turns a client's renderings into changes since the previous one, if it asked for that.
///
/// All events of the session pass it, in order. It may be used from any thread.
final class RenderingPatches: Sendable {
    private struct State {
        var isOn = false
        var last: Value?
    }

    /// The most changes of a patch; a rendering with more is sent whole.
    private static let mostChanges = 1_000

    private let state = Mutex(State())

    /// Sends patches from the next rendering on, or whole renderings again.
    func setOn(_ isOn: Bool) { state.withLock { $0.isOn = isOn } }

    /// A rendering's event with its changes; `nil` for other events and for renderings sent whole.
    func patched(_ event: FlowEvent) -> Value? {
        guard case .rendering(let rendering, _, _) = event.kind else { return nil }
        let last: Value? = state.withLock { state in
            defer { state.last = rendering }
            return state.isOn ? state.last : nil
        }
        guard let (changes, count) = last?.firstDifferences(to: rendering, limit: Self.mostChanges),
            count <= Self.mostChanges
        else { return nil }
        var record = event.record
        record["rendering"] = nil
        record["patch"] = .list(of: changes.map(\.operation))
        return record
    }
}

extension ValueChange {
    /// The change as an operation of RFC 6902.
    var operation: Value {
        let path = Value.string(path.pointer)
        return switch kind {
        case .added(let value): ["op": "add", "path": path, "value": value]
        case .removed: ["op": "remove", "path": path]
        case .changed(_, let value): ["op": "replace", "path": path, "value": value]
        }
    }
}

extension ValuePath {
    /// The path as an RFC 6901 pointer, with positions from 0.
    fileprivate var pointer: String {
        components.map { component in
            switch component {
            case .index(let index): "/\(index - 1)"
            case .key(let key): "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
            }
        }.joined()
    }
}
