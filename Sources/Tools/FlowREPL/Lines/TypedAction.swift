import FlowProtocol
package import PlainValue
import Terminal
import WorkflowKit
package import WorkflowLua

/// An action on one line, as a person or script writes it.
///
/// It is a sink of the rendering by path (`rows[1].vote`) or number (`2`), or an action of the root
/// by type (`add`), each optionally with fields: `add{ text = "milk" }`. JSON of an action or sink
/// and a Lua table of an action work too.
package enum TypedAction {
    case action(Value)
    case sink(Value, fields: Value.Record)

    package typealias NumberedSink = (path: String, sink: Value)

    /// - Parameter numbered: The sinks that were shown with numbers; by default the rendering's.
    package init(
        _ line: String, numbered: [NumberedSink]? = nil, in session: some REPLSession
    ) async throws(FlowError) {
        let text = line.trimmed
        if text.first == "{" || text.first == "\"" {
            do throws(JSONError) {
                let json = try Value(json: text)
                self = json["$sink"] != nil ? .sink(json, fields: [:]) : .action(json)
                return
            } catch {
                // A table of Lua has no field that begins so.
                if text.hasPrefix("{\"") || text.hasPrefix("{ \"") {
                    throw FlowError(.noJSON, error)
                }
            }
            self = .action(try await Self.value(text, in: session))
            return
        }
        let (head, rest) = Self.split(text)
        guard !head.isEmpty, rest.isEmpty || rest.first == "{" else { throw Self.noAction(text) }
        let rendering = await session.rendering
        if head.allSatisfy(\.isNumber) {
            let sink = try Self.sink(head, among: numbered ?? sinksInOrder(rendering))
            self = .sink(sink, fields: try await Self.fields(rest, in: session))
            return
        }
        guard let path = try? ValuePath(parsing: head), let last = path.components.last else {
            throw Self.noAction(text)
        }
        if let sink = rendering[path], actionType(ofSink: sink) != nil {
            self = .sink(sink, fields: try await Self.fields(rest, in: session))
            return
        }
        guard path.components.count == 1, case .key(let type) = last, head.first != "[" else {
            let sinks = sinksInOrder(rendering).map(\.path)
            throw FlowError(.noSink, path, didYouMean(path.description, among: sinks))
        }
        if rest.isEmpty {
            try Self.check(type, against: await session.status)
            self = .action(.string(type))
        } else {
            var fields = try await Self.fields(rest, in: session)
            fields["type"] = .string(type)
            self = .action(.record(fields))
        }
    }

    /// The action's type and the typed fields; `nil` if the action has no type.
    var typed: (type: String, fields: Value.Record)? {
        switch self {
        case .action(let action):
            action["type"]?.string.map { ($0, action.record ?? [:]) }
        case .sink(let sink, let fields): actionType(ofSink: sink).map { ($0, fields) }
        }
    }

    /// Sends an action to the root, or a sink to its node.
    package func send(to session: some REPLSession) async throws(FlowError) {
        switch self {
        case .action(let action): try await session.send(action)
        case .sink(let sink, let fields): try await session.send(sink: sink, with: fields)
        }
    }

    // MARK: Parts

    /// Splits a text after the name, path or number at its start.
    private static func split(_ text: String) -> (head: String, rest: String) {
        var isQuoted = false
        let head = text.prefix { character in
            if character == "\"" { isQuoted.toggle() }
            return isQuoted || character.isLetter || character.isNumber
                || "_.[]\"".contains(character)
        }
        return (String(head), text.dropFirst(head.count).trimmed)
    }

    private static func sink(
        _ number: String, among sinks: [NumberedSink]
    ) throws(FlowError) -> Value {
        guard let number = Int(natural: number), sinks.indices.contains(number - 1) else {
            throw FlowError(sinks.isEmpty ? .noNumbers : .noNumber, number, sinks.count)
        }
        return sinks[number - 1].sink
    }

    /// Reads fields in JSON or Lua; an empty text has none.
    private static func fields(
        _ text: String, in session: some REPLSession
    ) async throws(FlowError) -> Value.Record {
        if text.isEmpty { return [:] }
        if let record = (try? Value(json: text))?.record { return record }
        let value = try await value(text, in: session)
        if let record = value.record { return record }
        if value.list?.isEmpty == true { return [:] }
        throw FlowError(.noNames)
    }

    private static func value(
        _ text: String, in session: some REPLSession
    ) async throws(FlowError) -> Value {
        do throws(FlowError) {
            return try await session.values(of: text, where: []).first ?? .null
        } catch {
            guard error.isOfTextBehindTheEnd else { throw error }
            throw FlowError(.moreThanAction, text)
        }
    }

    /// Throws with a hint for a word that is a command elsewhere and not an action of the flow.
    private static func check(_ type: String, against status: FlowStatus) throws(FlowError) {
        let help: [String: String] = [
            "help": ".help shows what can be typed", "exit": ".exit leaves; so does Ctrl-D",
            "quit": ".exit leaves; so does Ctrl-D",
        ]
        guard let help = help[type], !status.actionTypes.isEmpty, !status.actionTypes.contains(type)
        else { return }
        throw FlowError(.undefinedAction, status.name, type, help)
    }

    private static func noAction(_ text: String) -> FlowError {
        FlowError(text == "?" ? .questionMark : .noAction, text.debugDescription)
    }
}
