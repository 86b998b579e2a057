import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

extension REPL {
    func send(_ text: String) async throws(FlowError) {
        let action = try await TypedAction(text, in: session)
        if let (type, fields) = action.typed { remember(type, fields) }
        try await action.send(to: session)
    }

    /// Shows the value of an expression, and stores it if a name precedes the expression.
    func evaluate(_ text: String, _ reply: inout REPLReply) async throws(FlowError) {
        let (name, expression) = Self.split(text.trimmed)
        guard !expression.isEmpty else { throw FlowError(.noExpression) }
        if let name, Self.reserved.contains(name) || HostAPI.globalNames.contains(name) {
            throw FlowError(.takenName, name)
        }
        let values: [Value]
        do throws(FlowError) {
            values = try await session.values(
                of: expression,
                where: variables + [
                    ("_", narrator.lastOutput ?? .null),
                    ("_error", narrator.lastError.map { .record($0.record) } ?? .null),
                ])
        } catch {
            var error = error
            // The locals of the expression are only the names that it can use.
            if error.location?.file == "input" { error.locals = [] }
            if error.isOfTextBehindTheEnd { error.help = "write one expression a line" }
            throw error
        }
        reply.messages += await news()
        let value = values.first ?? .null
        if let name {
            variables.removeAll { $0.name == name }
            variables.append((name, value))
            show([value], &reply)
        } else {
            show(values.isEmpty ? [.null] : values, &reply)
        }
    }

    /// Shows values in one line, or each in lines of its own.
    private func show(_ values: [Value], _ reply: inout REPLReply) {
        let texts = values.map { $0 == .null ? "nil" : $0.description }
        let line = texts.joined(separator: ", ")
        if displayWidth(line) <= options.columns() {
            reply.messages += REPLMessage.result([line])
            return
        }
        for (value, text) in zip(values, texts) {
            if displayWidth(text) > options.columns(), value.record != nil || value.list != nil {
                reply.messages += [
                    REPLMessage(kind: .result, text: TreePrinter(style: options.style).text(value))
                ]
            } else {
                reply.messages += REPLMessage.result([text])
            }
        }
    }

    private static let reserved: Set = ["state", "rendering", "props", "_", "_error"]

    /// Splits off the name that the value is to have, if there is one.
    private static func split(_ text: String) -> (name: String?, expression: String) {
        let start = text.hasPrefix("local ") ? text.dropFirst(6).trimmed : text
        let name = start.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        let rest = start.dropFirst(name.count).trimmed
        // A path spells a Lua keyword with brackets.
        guard !name.isEmpty, rest.first == "=", !rest.hasPrefix("=="),
            ValuePath([.key(String(name))]).description == name
        else { return (nil, text) }
        return (String(name), rest.dropFirst().trimmed)
    }

    private func remember(_ type: String, _ fields: Value.Record) {
        var known = sentFields[type] ?? []
        for (name, _) in fields where name != "type" && !known.contains(name) { known.append(name) }
        sentFields[type] = known
    }

    /// True if a text holds JSON that lacks its end.
    func isHalfJSON(_ text: String) -> Bool {
        let json = text.drop { $0 != "{" }
        guard json.dropFirst().first(where: { !$0.isWhitespace }) == "\"" else { return false }
        do throws(JSONError) {
            _ = try Value(json: String(json))
            return false
        } catch {
            guard case .expected(_, "the end of the text") = error.code else { return false }
            return true
        }
    }
}
