import LuaVM
import PlainValue
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

/// Hides what stands under secret names, within other texts too once it was seen under such a name.
final class SecretTexts {
    /// A shorter one would make nonsense of texts that it is in by chance.
    static let shortest = 4
    /// The most that are kept: a flow makes as many as it likes.
    private static let most = 1000
    /// The keys of messages under which there are texts for people.
    private static let shown: Set<String> = [
        "output", "text", "description", "result", "value", "message", "format", "stackTrace",
    ]

    let names: Set<String>
    private var texts: [String] = []

    init(_ names: Set<String>) { self.names = names }

    /// Adds what stands under secret names in a value.
    func add(from value: Value?) {
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
    func add(from input: FlowInput) {
        guard !names.isEmpty else { return }
        switch input.kind {
        case .action(let action, _): add(from: action)
        case .props(let props): add(from: props)
        case .worker(let news):
            if case .output(let output) = news.event { add(from: output) }
        }
    }

    /// What is to be seen of a value.
    func hiding(_ value: Value) -> Value {
        names.isEmpty ? value : masked(value.redacting(names)) { _ in true }
    }

    /// What is to be seen of variables; what is secret among them is known from then on.
    func hiding(_ variables: [String: Value]) -> [String: Value] {
        guard !names.isEmpty else { return variables }
        for (name, value) in variables { add(value, of: name) }
        return Dictionary(
            uniqueKeysWithValues: variables.map { name, value in
                (name, names.contains(name) ? "[secret]" : hiding(value))
            })
    }

    /// Hides what is secret at a moment, and knows it from then on.
    func hide(in content: inout MomentContent) {
        guard !names.isEmpty else { return }
        let values = [
            content.props, content.state, content.stateBefore, content.action, content.rendering,
        ]
        for value in values { add(from: value) }
        for variable in content.frames.flatMap({ $0.locals + $0.upvalues }) {
            add(variable.value, of: variable.name)
        }
        for index in content.frames.indices {
            hide(in: &content.frames[index].locals)
            hide(in: &content.frames[index].upvalues)
        }
        content.props = hiding(content.props)
        content.state = content.state.map(hiding)
        content.stateBefore = content.stateBefore.map(hiding)
        content.action = content.action.map(hiding)
        content.rendering = hiding(content.rendering)
    }

    private func hide(in variables: inout [LuaVariable]) {
        for index in variables.indices {
            let variable = variables[index]
            let isSecret = names.contains(variable.name)
            variables[index].value = isSecret ? "[secret]" : hiding(variable.value)
        }
    }

    private func add(_ value: Value, of name: String) {
        if names.contains(name) { add(all: value) } else { add(from: value) }
    }

    private func add(all value: Value) {
        switch value {
        case .record(let record): for (_, value) in record { add(all: value) }
        case .list(let list): for value in list { add(all: value) }
        case .string(let text): add(text)
        case .int(let number): add(String(number))
        case .double(let number): add("\(number)")
        case .null, .bool: break
        }
    }

    private func add(_ text: String) {
        guard text.utf8.count >= Self.shortest, text != "[secret]", !texts.contains(text),
            texts.count < Self.most
        else { return }
        // A longer one that has another one in it goes first.
        let place = texts.firstIndex { $0.utf8.count < text.utf8.count } ?? texts.count
        texts.insert(text, at: place)
    }

    /// A text without them.
    func masked(_ text: String) -> String {
        texts.reduce(text) { text, secret in
            text.contains(secret) ? text.replacing(secret, with: "[secret]") : text
        }
    }

    /// A message without them in the texts that people see.
    func masked(message: Value) -> Value { masked(message) { Self.shown.contains($0) } }

    /// A value without them in the texts that stand under some keys.
    private func masked(
        _ value: Value, under key: String = "", where isMasked: (String) -> Bool
    ) -> Value {
        guard !texts.isEmpty else { return value }
        switch value {
        case .string(let text): return isMasked(key) ? .string(masked(text)) : value
        case .list(let list):
            return .list(Value.List(list.map { masked($0, under: key, where: isMasked) }))
        case .record(let record):
            let fields = record.map { ($0.key, masked($0.value, under: $0.key, where: isMasked)) }
            return .record(Value.Record(fields) { $1 })
        default: return value
        }
    }
}
