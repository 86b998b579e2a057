package import LuaVM
package import PlainValue
import WorkerKit
import Workflow
package import WorkflowLua

/// Hides what stands under secret names, within other texts too once it was seen under such a name.
package final class SecretTexts {
    /// A shorter one would make nonsense of texts that it is in by chance.
    private static let shortest = 4
    /// The most that are kept: a flow makes as many as it likes.
    private static let most = 1000
    package let names: Set<String>
    private var texts: [String] = []

    package init(_ names: Set<String>) { self.names = names }

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
        guard !names.isEmpty else { return }
        switch input.kind {
        case .action(let action, _): add(from: action)
        case .props(let props): add(from: props)
        case .worker(let news):
            if case .output(let output) = news.event { add(from: output) }
        }
    }

    /// What is to be seen of a value.
    package func hiding(_ value: Value) -> Value {
        names.isEmpty ? value : masked(value.redacting(names)) { _ in true }
    }

    /// The values of variables at a moment, without what is secret. Where they have texts in them, all that can be seen there
    /// is known from then on.
    package func values(of names: [String], at moment: borrowing LuaMoment) -> [String: Value] {
        let values = moment.values(of: names)
        for level in 0..<(values.values.contains(where: \.mayHaveTexts) ? moment.depth : 0) {
            for variable in moment.locals(at: level) + moment.upvalues(at: level) {
                add(variable.value, of: variable.name)
            }
        }
        return Dictionary(
            uniqueKeysWithValues: values.map {
                ($0, self.names.contains($0) ? "[secret]" : hiding($1))
            })
    }

    /// What is to be seen of variables.
    package func hide(in variables: inout [LuaVariable]) {
        for index in variables.indices {
            let variable = variables[index]
            let isSecret = names.contains(variable.name)
            variables[index].value = isSecret ? "[secret]" : hiding(variable.value)
        }
    }

    /// Adds the value of a variable, or what stands under secret names in it.
    package func add(_ value: Value, of name: String) {
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
    package func masked(_ text: String) -> String {
        texts.reduce(text) { text, secret in
            text.contains(secret) ? text.replacing(secret, with: "[secret]") : text
        }
    }

    /// A value without them in the texts that stand under some keys.
    package func masked(
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

extension FrameExpressions {
    /// The plain value of an expression at a moment, which sees nothing that is secret.
    package func value(
        of expression: FrameExpression, at moment: borrowing LuaMoment, hiding secrets: SecretTexts
    ) throws(FlowError) -> Value {
        guard !secrets.names.isEmpty else { return try value(of: expression, at: moment) }
        return try value(of: expression, where: secrets.values(of: expression.names, at: moment))
    }
}

extension Value {
    fileprivate var mayHaveTexts: Bool {
        switch self {
        case .string, .list, .record: true
        case .null, .bool, .int, .double: false
        }
    }
}
