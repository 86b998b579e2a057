package import PlainValue
import Synchronization
import Workflow
import WorkflowLua

/// Hides what stands under secret names, and wherever else it comes up once it was seen under such a name: within texts and
/// names of fields, and as a number.
///
/// A session has one, which knows what has come into it and what it has shown. What the flow itself makes of a secret, such as
/// its upper case, is another value.
package final class SecretTexts: Sendable {
    /// The names of the fields.
    package let names: Set<String>
    private let texts = Mutex(KnownTexts())

    /// Hides nothing.
    static let none = SecretTexts([])

    package init(_ names: Set<String>) { self.names = names }

    // MARK: Knowing

    /// Adds what stands under secret names in a value.
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

    /// Adds what came into a session.
    package func add(from input: FlowInput) {
        switch input.kind {
        case .action(let action, _): add(from: action)
        case .props(let props): add(from: props)
        case .worker(let news):
            if case .output(let output) = news.event { add(from: output) }
        }
    }

    /// Adds what is told of a session.
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

    /// What stands for a secret.
    static let mask = "[secret]"

    /// What is to be seen of a value.
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

    /// What is to be seen of a value at a path.
    package func hiding(_ value: Value, at path: ValuePath) -> Value {
        hides(path) ? .string(Self.mask) : hiding(value)
    }

    /// What is to be seen of an input.
    package func hiding(_ input: FlowInput) -> FlowInput {
        guard !names.isEmpty else { return input }
        var input = input
        switch input.kind {
        case .action(let action, let node): input.kind = .action(hiding(action), node: node)
        case .props(let props): input.kind = .props(hiding(props))
        case .worker(var news):
            if case .output(let output) = news.event { news.event = .output(hiding(output)) }
            input.kind = .worker(news)
        }
        return input
    }

    /// A text without them.
    func masked(_ text: String) -> String {
        guard !names.isEmpty else { return text }
        return texts.withLock { texts in
            texts.replacing(in: text) { _, follows in follows ? nil : Self.mask } ?? text
        }
    }

    /// Whether a path leads to something secret.
    package func hides(_ path: ValuePath) -> Bool {
        !names.isEmpty
            && path.components.contains { component in
                if case .key(let key) = component { names.contains(key) } else { false }
            }
    }

    /// Whether a number is secret, as a text.
    private func hides(_ number: String) -> Bool {
        number.utf8.count >= KnownTexts.shortest && masked(number) == Self.mask
    }

    // MARK: Naming

    /// A text in which each of them has a name, so that paths with other secrets in them stay
    /// others.
    func named(_ text: String) -> String {
        guard !names.isEmpty else { return text }
        return texts.withLock { texts in
            texts.replacing(in: text) { number, _ in "[secret \(number)]" } ?? text
        }
    }

    /// The text in which ``naming(_:)`` has named what is secret.
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

    /// A value, such as an answer, without what stands under secret names, in whose texts and names
    /// of fields each of the others has a name; see ``unnamed(_:)``.
    package func naming(_ value: Value) -> Value { naming(value, except: Self.structure) }

    /// - Parameter structure: The fields whose texts stay as they are, as they are none of a flow.
    func naming(_ value: Value, except structure: Set<String>) -> Value {
        guard !names.isEmpty else { return value }
        switch value {
        case .string(let text): return .string(named(text))
        case .list(let list):
            return .list(of: list.map { naming($0, except: structure) })
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
