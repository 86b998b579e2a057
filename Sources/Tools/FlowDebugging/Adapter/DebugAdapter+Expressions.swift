import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

extension DebugAdapter {
    func evaluate(_ arguments: Value) async throws -> Value {
        var text = (arguments["expression"]?.string ?? "").trimmingSpaces
        let isConsole = arguments["context"]?.string == "repl"
        if isConsole, Self.isCommand(text) { return try await execute(text, arguments) }
        if isConsole, let subject, subject.isLive, isAction(text, await subject.rendering) {
            return try await send(text, to: subject)
        }
        if text.hasPrefix("=") { text = text.dropFirst().trimmingSpaces }
        let debugger = try stopped()
        if view.frames.isEmpty { _ = try stackTrace([:]) }
        var given: [String: Value] = ["rendering": try content(at: debugger.moment.line).rendering]
        var variables = given
        if let frame = try frame(arguments) {
            let content = try content(at: frame.line)
            given.merge(content.given) { $1 }
            variables.merge(content.variables(of: frame.level)) { $1 }
        }
        let expression = try debugger.expressions.compile(text)
        // If this fails, the single value below says why.
        if isConsole,
            let values = try? debugger.expressions.values(of: expression, where: variables),
            values.count > 1
        {
            if values.contains(.null) {
                try refuse(expression.names.filter { variables[$0] == nil }, arguments)
            }
            return .record(described(all: values))
        }
        let result = Result { () throws -> LuaVariable in
            // A function could give a secret away in another form.
            if let frame = try frame(arguments), secretTexts.names.isEmpty,
                let value = try debugger.replica.value(
                    of: expression, by: debugger.expressions, where: given,
                    of: debugger.moment.input, at: frame.line, frame: frame.level,
                    among: debugger.lines)
            {
                return value
            }
            let value = try debugger.expressions.value(of: expression, where: variables)
            return LuaVariable(value: value, isNil: value == .null)
        }
        if (try? result.get())?.value ?? .null == .null {
            try refuse(expression.names.filter { variables[$0] == nil }, arguments)
        }
        let isWhole = arguments["context"]?.string == "clipboard"
        return .record(described(try result.get(), expression: .result(of: text), isWhole: isWhole))
    }

    /// Sends an action of the console, and returns the rendering after it.
    private func send(_ text: String, to subject: any DebugSubject) async throws -> Value {
        var failure: (any Error)?
        do { try await subject.send(text) } catch { failure = error }
        try await take(news: try subject.takeNews(isPause: false))
        if let failure { throw failure }
        let rendering = await subject.rendering ?? .null
        return .record(described(LuaVariable(value: secretTexts.hiding(rendering))))
    }

    /// Refuses names of locals that the frame does not see.
    private func refuse(_ names: [String], _ arguments: Value) throws {
        guard !names.isEmpty, let frame = try frame(arguments) else { return }
        let file = try content(at: frame.line).frames[frame.level].location.file
        guard let bytes = bytes(of: file) else { return }
        var (isName, isAfterName) = (false, false)
        for word in SourceWords(bytes) {
            let word = String(decoding: word, as: UTF8.self)
            if isName, names.contains(word) {
                throw FlowError(.notVisible, word, file)
            }
            let isFunction = isName && word == "function"
            (isName, isAfterName) = (
                word == "local" || isFunction || isAfterName && word == ",", isName && !isFunction
            )
        }
    }

    /// True if a console text is an action: `add`, `add{ text = "milk" }` or `rows[1].toggle`.
    private func isAction(_ text: String, _ rendering: Value?) -> Bool {
        let head = text.prefix { $0 != "{" && $0 != " " }
        let rest = text.dropFirst(head.count).drop { $0 == " " }
        guard !head.isEmpty, rest.isEmpty || rest.first == "{" && rest.last == "}" else {
            return false
        }
        if debugger?.replica.actionTypes.contains(String(head)) == true { return true }
        guard let path = try? ValuePath(parsing: String(head)) else { return false }
        return rendering?[path]?["$sink"] != nil
    }

    func completions(_ arguments: Value) async throws -> Value {
        let text = arguments["text"]?.string ?? ""
        let column = try arguments.natural("column") ?? text.count + 1
        let typed = text.prefix(max(column - 1, 0))
        if Self.isCommand(String(typed)) { return await completions(of: String(typed)) }
        let word = typed.reversed().prefix { $0.isLetter || $0.isNumber || "_.:[]".contains($0) }
        let path = String(word.reversed())
        let dot = path.lastIndex { ".:".contains($0) }
        let prefix = String(dot.map { path[path.index(after: $0)...] } ?? path[...])
        var names: [String] = []
        var variables: [String: Value] = [:]
        if isStopped {
            if view.frames.isEmpty { _ = try stackTrace([:]) }
            if let frame = try frame(arguments) {
                variables = try content(at: frame.line).variables(of: frame.level)
            }
        }
        if let dot {
            let owner = String(path[..<dot])
            let inside = try? ValuePath(parsing: owner)
            let value = inside.flatMap { Value.record(Value.Record(variables))[$0] }
            if path[dot] == "." { names = value?.record.map { $0.map(\.key) } ?? [] }
            if value == nil {
                names = debugger?.expressions.members(of: owner) ?? []
            } else if path[dot] == ":", value?.string != nil {
                names = debugger?.expressions.members(of: "string") ?? []
            }
        } else {
            names = Array(variables.keys) + (debugger?.replica.actionTypes ?? [])
            names += debugger?.expressions.members() ?? []
        }
        let fitting = Set(names.filter { $0.hasPrefix(prefix) }).sorted()
        return Self.targets(fitting, after: String(typed), word: prefix)
    }
}
