import PlainValue

// Advice on errors that Lua raised itself, found from the message and the line.
extension FlowError {
    /// The next step; `nil` if none is known.
    package var advice: String? {
        // A line that was typed at a prompt is in sight.
        guard location?.file.hasSuffix(".lua") == true else { return nil }
        return switch code {
        case .syntax: syntaxAdvice
        case .lua where isOfLua: orderAdvice ?? systemAdvice ?? culpritAdvice ?? callAdvice
        case .lua where missingGlobal != nil: missingGlobal.map(missingGlobalAdvice)
        case .lua where isOfReadOnly:
            "what changes belongs in the state, which apply and changed may change"
        case .lua: contextAdvice
        case .unknownAction: unknownActionAdvice
        case .notPlain where line.contains("pairs("):
            "pairs gives a function, for a loop; compare the table itself"
        default: nil
        }
    }

    private var line: String {
        guard let location, let excerpt else { return "" }
        let index = location.line - excerpt.firstLine
        return excerpt.lines.indices.contains(index) ? excerpt.lines[index] : ""
    }

    /// The next step for an action that a source text names and its definition does not have.
    private var unknownActionAdvice: String? {
        if reason == .misspeltAction { return nil }
        if let caller = frames.dropFirst().first, caller.location.file != location?.file {
            return
                "a child is rendered by context:render(Child, props), not by a call of its render"
        }
        return "add a function for it to apply"
    }

    // MARK: Syntax

    /// Syntax of other languages that Lua writes in another way.
    private static let foreign: [(text: String, advice: String)] = [
        ("!=", "write ~= for 'is not'"),
        ("++", "Lua has no ++: write n = n + 1"),
        ("+=", "Lua has no +=: write n = n + 1"),
        ("-=", "Lua has no -=: write n = n - 1"),
        ("*=", "Lua has no *=: write n = n * 2"),
        ("/=", "Lua has no /=: write n = n / 2"),
        ("&&", "write 'and'"),
        ("||", "write 'or'"),
        ("=>", "write function(x) return … end"),
        ("continue", "Lua has no continue: put the rest of the loop into an if"),
        ("else if", "write elseif in one word, or give the inner if an end of its own"),
        ("?", "write condition and a or b"),
        ("!", "write not"),
    ]

    /// The first words of statements of other languages.
    private static let foreignStatements: [(text: String, advice: String)] = [
        ("const ", "write local"), ("let ", "write local"), ("var ", "write local"),
        ("def ", "write function name(x) … end"), ("func ", "write function name(x) … end"),
        ("elif ", "write elseif … then"), ("elsif ", "write elseif … then"),
        ("try ", "call what may fail with pcall(function() … end)"),
        ("switch ", "write if … then … elseif … then … end"),
        ("case ", "write if … then … elseif … then … end"),
        ("import ", "write local item = require \"item\""),
        ("from ", "write local item = require \"item\""),
        ("export ", "end the file with return { … }"),
        ("class ", "a definition is a table: local Flow = { name = \"flow\" }"),
    ]

    /// The beginnings of messages of Lua's compiler that are clear by themselves.
    private static let mistakes: [(message: String, advice: String)] = [
        ("'then' expected near '='", "compare with =="),
        ("unfinished string", "close the quotes in the same line, or write [[…]]"),
        ("unfinished long", "close it with ]]"),
        ("C stack overflow", "the text is nested too deeply"),
        ("'}' expected near ':'", colonAdvice),
        ("'}' expected", "is a comma missing between two fields?"),
        ("attempt to assign to const", "leave <const> out, or set another variable"),
        ("break outside ", "leave a function with return"),
        ("no visible label", "set ::the label:: in the same function, in a block around the goto"),
        ("cannot use '...'", "declare the function as function(...)"),
        ("too many local variables", "divide the function, or keep values in a table"),
        ("invalid escape sequence", "write \\\\ for a backslash"),
    ]

    private var syntaxAdvice: String? {
        if let known = Self.mistakes.first(where: { message.hasPrefix($0.message) }) {
            return known.advice
        }
        let start = String(line.drop { $0 == " " || $0 == "\t" })
        if let known = Self.foreignStatements.first(where: { start.hasPrefix($0.text) }) {
            return known.advice
        }
        if hasColonInTable(line[...]) { return Self.colonAdvice }
        let line = line.prefix { $0 != "\"" && $0 != "'" }
        if let known = Self.foreign.first(where: { line.contains($0.text) }) { return known.advice }
        if message.hasPrefix("'end' expected") {
            return "add the end; of else if Lua makes two blocks, of elseif one"
        }
        if message.hasSuffix("near <eof>") {
            return "the file ends too early: is an end, a ) or a } missing?"
        }
        if message.contains(" expected") { return "look at this line and at the one before it" }
        guard message.hasPrefix("unexpected symbol") || message.hasPrefix("syntax error") else {
            return nil
        }
        if message.hasSuffix(" near ','") || message.hasSuffix(" near '}'") {
            return "is an end, or a value, missing before it?"
        }
        return "a statement is a call or an assignment; look at the line before, too"
    }

    /// The next step for a typed expression, which sees the values of `names`.
    func advice(onTyped expression: String, seeing names: [(String, Value)]) -> String? {
        let seen = Value.record(Value.Record(names.map { ($0.0, $0.1) }))
        if code == .syntax, hasColonInTable(expression[...]) { return Self.colonAdvice }
        return tableCallAdvice(in: expression)
            ?? comparisonAdvice(in: expression) { owner in
                seen[owner]?.record.map { Set($0.map(\.key)) }
            }
    }

    private static let colonAdvice = "write = between a name and its value: { count = 1 }"

    /// True if a field of a table is written with a colon, which Lua reads as the call of a method.
    private func hasColonInTable(_ line: Substring) -> Bool {
        let beginnings = ["<name> expected near ", "function arguments expected near "]
        guard beginnings.contains(where: message.hasPrefix) else { return false }
        return line.indices.contains { index in
            guard line[index] == ":" else { return false }
            let before = line[..<index].reversed()
            let name = before.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let start = before.dropFirst(name.count).first { $0 != " " }
            return !name.isEmpty && (start == nil || start == "{" || start == ",")
        }
    }

    // MARK: Order of parameters

    /// The next step if a function of the definition has other parameters than it is called with.
    private var orderAdvice: String? {
        let call: String
        switch phase {
        case .render: call = "render(state, context)"
        case .apply: call = "apply(state, action, context)"
        case .state: call = "state(props, context)"
        case .changed: call = "changed(old_props, new_props, state)"
        default: return nil
        }
        guard frames.count <= 1 else { return nil }
        if locals.first?.name == "self" {
            return "declare it with a dot, as function Flow.\(call): "
                + "a colon adds a parameter 'self'"
        }
        guard let local = locals.first(where: { $0.value == "context" && $0.name != "context" }),
            locals.contains(where: { $0.name == "context" })
        else { return nil }
        return "the context is in '\(local.name)': the function is called as \(call)"
    }

    // MARK: Names

    /// The next step if the line uses a flow's `io` or a similar library like that of a system.
    private var systemAdvice: String? {
        guard let location, !FlowModules.isLibrary(location.file) else { return nil }
        let words = SourceWords(Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) }
        let name = zip(words, words.dropFirst()).first { word, next in
            next == "." && HostAPI.forLibraries.contains(word)
        }?.0
        return name.flatMap { name in
            HostAPI.absent[name].map { "'\(name)' is there for libraries: \($0)" }
        }
    }

    private var culpritAdvice: String? {
        guard let culprit, culprit.isNil else { return nil }
        let name = culprit.name
        // Lua's name for what a number in brackets leads to.
        if name == "integer index" {
            return "nothing is at that position; lists begin at 1 and end at #list"
        }
        let declares = excerpt?.lines.contains { $0.contains("\(name) = ") && $0.contains(":run(") }
        if culprit.kind == .local, phase == .render, declares == true {
            return "run returns nothing: what the worker gives comes later, as an action, "
                + "and apply keeps it in the state"
        }
        switch culprit.kind {
        case .global: return globalAdvice(name)
        case .field, .method:
            if let library = HostAPI.libraries.first(where: { line.contains("\($0.name).\(name)") })
            {
                return "\(library.name) has no '\(name)'" + didYouMean(name, among: library.names)
            }
            if operation == .call {
                return "there is no function '\(name)' in that table; look for its definition"
            }
        case .local, .upvalue:
            if name == "state", phase == .render || isOfApply {
                return "let the definition's state be a table, or a function that returns one"
            }
            if operation == .call {
                return "give '\(name)' a function before it is called"
            }
        }
        return "'\(name)' is not set here; give it a value" + insteadOfNil(name)
    }

    private var isOfApply: Bool { if case .apply = phase { true } else { false } }

    private func globalAdvice(_ name: String) -> String {
        if let help = HostAPI.absent[name] { return "flows have no '\(name)': \(help)" }
        return "give '\(name)' a value before it is used"
    }

    private func missingGlobalAdvice(_ name: String) -> String {
        if let help = HostAPI.absent[name] { return help }
        let isTest = location?.file.hasSuffix("_test.lua") == true
        if !isTest, HostAPI.testGlobalNames.contains(name) {
            return "tests are in files whose names end in _test.lua"
        }
        let names = HostAPI.globalNames.union(locals.map(\.name))
            .union(isTest ? HostAPI.testGlobalNames : [])
        if let near = nearestName(to: name, among: names.sorted()) {
            return "did you mean '\(near)'?"
        }
        return "declare it above this line: local \(name) = …"
    }

    /// The text to write for a value that may be missing.
    private func insteadOfNil(_ name: String) -> String {
        switch operation {
        case .arithmetic, .comparison: ", or write (\(name) or 0)"
        case .concatenation: ", or write (\(name) or \"\")"
        case .index: ", or ask first: if \(name) then …"
        case .length: ", or write #(\(name) or {})"
        default: ""
        }
    }

    // MARK: Calls

    private var callAdvice: String? {
        if let argument = nilArgument {
            return "\(argument.text) is nil here; give it a value, or write "
                + "\(argument.function)(\(argument.text) or {})"
        }
        if let advice = tableCallAdvice(in: line) { return advice }
        switch operation {
        case .remainder: return "put values into a text with string.format(\"%d\", n)"
        case .addition: return "join texts with .., and make numbers of texts with tonumber(text)"
        case .comparison:
            return comparisonAdvice(in: line) { owner in
                locals.first { $0.name == owner.description }?.value.namesOfFields
            } ?? "compare values of one type"
        case .concatenation where message.contains("a table value"):
            return "name a field of it; '..' asks no metatable for '__concat' here"
        default: return isFailedAssertion ? "say why: assert(condition, \"what is wrong\")" : nil
        }
    }

    /// The nil first argument of a function, if the line has one call of that function.
    private var nilArgument: (function: String, text: String)? {
        guard message.hasPrefix("bad argument #1 to '"), message.hasSuffix("got nil)") else {
            return nil
        }
        let function = message.dropFirst("bad argument #1 to '".count).prefix { $0 != "'" }
        let calls = line.components(after: function + "(")
        guard calls.count == 1, let text = calls.first?.prefix(while: { !",()".contains($0) }),
            !text.isEmpty
        else { return nil }
        return (String(function), String(text))
    }

    private var contextAdvice: String? {
        guard isOfContextField else { return nil }
        if let orderAdvice { return orderAdvice }
        switch phase {
        case .render: return "in render a context has props, render, run and sink"
        case .state: return "in state a context has props and principal"
        case .apply: return "in apply a context has props, now, principal and random"
        default: return nil
        }
    }
}

extension String {
    /// The rest of the text after each occurrence of `text`.
    fileprivate func components(after text: Substring) -> [Substring] {
        ranges(of: text).map { self[$0.upperBound...] }
    }
}
