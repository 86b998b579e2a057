package import PlainValue
import Synchronization
import Workflow
import WorkflowLua

/// Masks the values of fields with secret names, and every other occurrence of a value that was
/// seen under such a name: in texts, in names of fields, and as a number.
///
/// Each session has one, which learns from its inputs and its events. A value that the flow derives
/// from a secret, such as its upper case, is not masked.
package final class SecretTexts: Sendable {
    package let names: Set<String>
    private let texts = Mutex(KnownTexts())

    static let none = SecretTexts([])

    package init(_ names: Set<String>) { self.names = names }

    // MARK: Knowing

    /// Learns the secrets in a value.
    package func add(from value: Value?) {
        guard !names.isEmpty else { return }
        switch value {
        case .record(let record)?:
            for (name, value) in record {
                if names.contains(name) { add(all: value) } else { add(from: value) }
            }
        case .list(let list)?: for value in list { add(from: value) }
        default: break
        }
    }

    package func add(from input: FlowInput) {
        add(from: input.value)
    }

    func add(from event: FlowEvent.Kind) {
        guard !names.isEmpty else { return }
        switch event {
        case .ready(let header):
            add(from: header.props)
            add(from: header.snapshot)
        case .dropped(_, let action, _): add(from: action)
        case .rendering(let value, _, _), .action(let value, _, _), .output(let value),
            .worker(.output(let value), _, _, _), .props(let value), .snapshot(let value),
            .moved(_, _, let value?), .reloaded(_, let value?):
            add(from: value)
        case .refused(let refusal): add(from: refusal.input)
        default: break
        }
    }

    private func add(all value: Value) {
        switch value {
        case .record(let record): for (_, value) in record { add(all: value) }
        case .list(let list): for value in list { add(all: value) }
        case .string(let text): if text != Self.mask { add(text) }
        case .int(let number): add(String(number))
        case .double(let number): add("\(number)")
        case .null, .bool: break
        }
    }

    private func add(_ text: String) { texts.withLock { $0.add(text) } }

    // MARK: Hiding

    static let mask = "[secret]"

    package func hiding(_ value: Value) -> Value {
        guard !names.isEmpty else { return value }
        switch value {
        case .record(let record):
            let fields = record.map { name, value in
                (named(name), names.contains(name) ? .string(Self.mask) : hiding(value))
            }
            return .record(Value.Record(fields) { $1 })
        case .list(let list): return .list(of: list.map { hiding($0) })
        case .string(let text): return .string(masked(text))
        case .int(let number): return hides(String(number)) ? .string(Self.mask) : value
        case .double(let number): return hides("\(number)") ? .string(Self.mask) : value
        case .null, .bool: return value
        }
    }

    package func hiding(_ value: Value, at path: ValuePath) -> Value {
        hides(path) ? .string(Self.mask) : hiding(value)
    }

    package func hiding(_ input: FlowInput) -> FlowInput {
        guard !names.isEmpty else { return input }
        var input = input
        input.value = hiding(input.value)
        return input
    }

    func masked(_ text: String) -> String {
        guard !names.isEmpty else { return text }
        return texts.withLock { texts in
            texts.replacing(in: text) { _, follows in follows ? nil : Self.mask } ?? text
        }
    }

    /// True if the path goes through a secret name.
    package func hides(_ path: ValuePath) -> Bool {
        !names.isEmpty
            && path.components.contains { component in
                if case .key(let key) = component { names.contains(key) } else { false }
            }
    }

    /// True if the text of the number is a secret.
    private func hides(_ number: String) -> Bool {
        number.utf8.count >= KnownTexts.shortest && masked(number) == Self.mask
    }

    // MARK: Naming

    /// Replaces each secret in a text by a name of its own, so that different paths stay different.
    func named(_ text: String) -> String {
        guard !names.isEmpty else { return text }
        return texts.withLock { texts in
            texts.replacing(in: text) { number, _ in "[secret \(number)]" } ?? text
        }
    }

    /// Restores a text in which ``naming(_:)`` has replaced secrets by names.
    package func unnamed(_ text: String) -> String {
        guard !names.isEmpty, text.contains("[secret ") else { return text }
        let parts = text.split(separator: "[secret ", omittingEmptySubsequences: false)
        return texts.withLock { texts in
            parts.dropFirst().reduce(into: String(parts[0])) { result, part in
                if let end = part.firstIndex(of: "]"), let number = Int(natural: part[..<end]),
                    let secret = texts.text(number)
                {
                    result += secret + part[end...].dropFirst()
                } else {
                    result += "[secret " + part
                }
            }
        }
    }

    /// Masks the values of secret fields, and replaces other secrets by names; see ``unnamed(_:)``.
    package func naming(_ value: Value) -> Value { naming(value, except: Self.structure) }

    /// - Parameter structure: The fields whose texts stay, as they do not come from a flow.
    func naming(_ value: Value, except structure: Set<String>) -> Value {
        guard !names.isEmpty else { return value }
        switch value {
        case .string(let text): return .string(named(text))
        case .list(let list): return .list(of: list.map { naming($0, except: structure) })
        case .record(let record):
            let fields = record.map { name, value -> (String, Value) in
                if names.contains(name) { return (name, .string(Self.mask)) }
                let isStructure = structure.contains(name) && value.string != nil
                return (named(name), isStructure ? value : naming(value, except: structure))
            }
            return .record(Value.Record(fields) { $1 })
        default: return value
        }
    }
}
