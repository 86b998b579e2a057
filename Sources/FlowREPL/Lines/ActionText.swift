package import PlainValue
import Terminal
import WorkflowKit
package import WorkflowLua

/// An action as a person or a script writes it on one line.
///
/// JSON (`{"type": "add", "text": "milk"}` or `"add"`), or Lua's way: `add`, `add{ text = "milk"
/// }`, `{ type = "add", text = "milk" }`. A sink of the rendering may be pasted as JSON.
package enum ActionText {
    case action(Value)
    case sink(Value)

    package init(_ line: String, session: some REPLSession) async throws(FlowError) {
        let text = line.trimmed
        if text.first == "{" || text.first == "\"", let value = try? Value(json: text) {
            self = value["$sink"] == nil ? .action(value) : .sink(value)
            return
        }
        let starts = text.first.map { $0.isLetter || $0 == "_" } ?? false
        let name = starts ? text.prefix { $0.isLetter || $0.isNumber || $0 == "_" } : ""
        let rest = text.dropFirst(name.count).drop { $0 == " " }
        if !name.isEmpty, rest.isEmpty {
            self = .action(.string(String(name)))
            return
        }
        let isCall = !name.isEmpty && rest.first == "{"
        guard isCall || text.first == "{" else {
            throw FlowError(
                .badAction, "this is no action: \(text.debugDescription)",
                help: "write add, add{ text = \"milk\" } or {\"type\": \"add\", \"text\": \"milk\"}"
            )
        }
        let value = try await session.value(of: isCall ? String(rest) : text, where: [])
        guard isCall else {
            self = .action(value)
            return
        }
        var record = value.record ?? [:]
        record["type"] = .string(String(name))
        self = .action(.record(record))
    }

    /// Sends it to the session's root, or to the sink's own node.
    package func send(to session: some REPLSession) async throws(FlowError) {
        switch self {
        case .action(let action): try await session.send(action, to: nil)
        case .sink(let sink): try await session.send(sink: sink, with: [:])
        }
    }
}
