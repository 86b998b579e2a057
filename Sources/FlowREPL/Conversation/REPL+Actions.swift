import FlowPrinting
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

extension REPL {
    /// Sends what a text says: an action, or a sink of the rendering by its path.
    func send(_ text: String) async throws(FlowError) {
        if let (path, rest) = Self.path(startOf: text) {
            let rendering = await session.rendering
            if let sink = rendering[path], let type = actionType(ofSink: sink) {
                let fields = rest.isEmpty ? [:] : try await fields(rest)
                remember(type, fields)
                try await session.send(sink: sink, with: fields)
                return
            }
            if path.components.count > 1 { throw unknownSink(path, in: rendering) }
        }
        let action = try await ActionText(text, session: session)
        if case .action(.record(let record)) = action, let type = record["type"]?.string {
            remember(type, record)
        }
        try await action.send(to: session)
    }

    /// Shows the value of an expression.
    func evaluate(_ expression: String, _ reply: inout REPLReply) async throws(FlowError) {
        guard !expression.trimmed.isEmpty else {
            throw FlowError(
                .badAction, "there is no expression after '='",
                help: "write = state, = #rendering.items, or any other Lua expression")
        }
        let value: Value
        do throws(FlowError) {
            value = try await session.value(
                of: expression.trimmed,
                where: [
                    ("_", narrator.lastOutput ?? .null),
                    ("_error", narrator.lastError.map { .record($0.record) } ?? .null),
                ])
        } catch {
            var error = error
            // Those of the expression are what it can name, which says nothing.
            if error.location?.file == "input" { error.locals = [] }
            throw error
        }
        reply.messages += await news()
        let text = value == .null ? "nil" : value.description
        if displayWidth(text) > settings.columns(), value.record != nil || value.list != nil {
            reply.messages += [
                REPLMessage(kind: .result, text: TreePrinter(style: settings.style).text(value))
            ]
        } else {
            reply.messages += REPLMessage.result([text])
        }
    }

    private func fields(_ text: String) async throws(FlowError) -> Value.Record {
        if let value = try? Value(json: text), let record = value.record { return record }
        let value = try await session.value(of: text, where: [])
        if let record = value.record { return record }
        if value.list?.isEmpty == true { return [:] }
        throw FlowError(.badAction, "fields have names: write { text = \"milk\" }")
    }

    private func remember(_ type: String, _ fields: Value.Record) {
        var known = sentFields[type] ?? []
        for (name, _) in fields where name != "type" && !known.contains(name) { known.append(name) }
        sentFields[type] = known
    }

    private func unknownSink(_ path: ValuePath, in rendering: Value) -> FlowError {
        let sinks = sinksInOrder(rendering).map(\.path)
        return FlowError(
            .badAction,
            "the rendering has no sink '\(path)'"
                + didYouMean(path.description, among: sinks),
            help: "see .actions for all that can be sent")
    }

    /// The path at the start of a text, and a table or nothing after it; otherwise `nil`.
    static func path(startOf text: String) -> (ValuePath, rest: String)? {
        var end = text.startIndex
        var isQuoted = false
        while end < text.endIndex {
            let character = text[end]
            if character == "\"" { isQuoted.toggle() }
            guard
                isQuoted || character.isLetter || character.isNumber || "_.[]\"".contains(character)
            else { break }
            end = text.index(after: end)
        }
        let rest = text[end...].trimmed
        guard end > text.startIndex, rest.isEmpty || rest.first == "{",
            let path = try? ValuePath(parsing: String(text[..<end]))
        else { return nil }
        return (path, rest)
    }

    /// True if a text has JSON from its first brace to its end, which is missing.
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
