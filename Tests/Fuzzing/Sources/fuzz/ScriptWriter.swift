struct ScriptWriter {
    private var source: ByteSource
    /// The number of statements that may still be written.
    private var left = 200

    init(_ source: ByteSource) { self.source = source }

    mutating func flow() -> String {
        """
        local A, B = {}, {}
        function B.state(props) return { n = 0, t = {}, p = props.a } end
        B.apply = { add = function(state, action, context) \(block(depth: 2)) end }
        function B.render(state, context)
        \(block(depth: 2))
        return { n = state.n, add = context:sink("add"), t = state.t } end
        function A.state(props) \(block(depth: 3)) return { n = 0, t = { 1, 2 } } end
        function A.changed(old, new, state) \(block(depth: 3)) end
        A.apply = {
            go = function(state, action, context) \(block(depth: 1)) return action.by end,
            add = function(state, action, context) \(block(depth: 1)) end,
        }
        function A.render(state, context)
        \(block(depth: 1))
        return {
            state.t, go = nil, go2 = context:sink("go", { by = \(expression(depth: 3)) }),
            child = context:render(B, { a = state.t }, { key = "k", on_output = "add" }),
        } end
        return A
        """
    }

    mutating func block(depth: Int) -> String {
        let names = "local a, b, t, f, s, n = 1, 2.5, { 1, 2, 3, k = 'v' }, print, 'text', nil\n"
        let count = depth > 4 ? 1 : source.number(below: 6) + 1
        return names + (0..<count).map { _ in statement(depth: depth + 1) }.joined(separator: "\n")
    }

    private mutating func statement(depth: Int) -> String {
        left -= 1
        if left < 0 || source.isEmpty || depth > 6 { return "\(name()) = \(literal())" }
        switch source.number(below: 16) {
        case 0, 1: return "\(name()) = \(expression(depth: depth))"
        case 2: return "\(name()) = \(call(depth: depth))"
        case 3:
            return
                "pcall(function() t[\(expression(depth: depth))] = \(expression(depth: depth)) end)"
        case 4:
            return
                "if \(expression(depth: depth)) then \(block(depth: depth)) else \(block(depth: depth)) end"
        case 5:
            return "for i = 1, \(source.number(below: 40)) do \(statement(depth: depth + 1)) end"
        case 6: return "for k, v in pairs(t) do \(statement(depth: depth + 1)) end"
        case 7: return "while a ~= b do \(block(depth: depth)) break end"
        case 8:
            return
                "f = function(...) \(block(depth: depth)) return \(expression(depth: depth)), ... end"
        case 9:
            let handler = "function(m) \(statement(depth: depth + 1)) return m end"
            return "a, b = xpcall(function() \(block(depth: depth)) end, \(handler))"
        case 10:
            return
                "f = coroutine.wrap(function(...) \(block(depth: depth)) coroutine.yield(a) return f(...) end)"
        case 11:
            return
                "n = coroutine.create(function() \(block(depth: depth)) end) coroutine.resume(n) pcall(coroutine.close, n)"
        case 12:
            return
                "pcall(setmetatable, t, { \(event()) = function(x, y) \(block(depth: depth)) return \(expression(depth: depth)) end })"
        case 13:
            return
                "do local c <close> = setmetatable({}, { __close = function() \(block(depth: depth)) end }) \(statement(depth: depth + 1)) end"
        case 14:
            return "a, b = pcall(error, \(expression(depth: depth)), \(source.number(below: 4)))"
        default: return "a, b = pcall(function() return \(call(depth: depth)) end)"
        }
    }

    private mutating func expression(depth: Int) -> String {
        if depth > 6 || source.isEmpty { return literal() }
        switch source.number(below: 14) {
        case 0, 1, 2, 3: return literal()
        case 4, 5: return name()
        case 6: return "t[\(expression(depth: depth + 1))]"
        case 7: return "{ \(expression(depth: depth + 1)), [\(literal())] = \(name()) }"
        case 8:
            return
                "select(2, pcall(function() return (\(expression(depth: depth + 1))) \(binary()) (\(expression(depth: depth + 1))) end))"
        case 9:
            return
                "select(2, pcall(function() return \(source.choice(of: ["-", "~", "#", "not "])) \(name()) end))"
        case 10: return "(\(name()) and \(name()) or \(literal()))"
        case 11: return "(function(...) return ... end)(\(expression(depth: depth + 1)))"
        default: return call(depth: depth)
        }
    }

    private mutating func call(depth: Int) -> String {
        let function = source.choice(of: Self.functions)
        let arguments = (0..<source.number(below: 5)).map { _ in expression(depth: depth + 2) }
        return "select(2, pcall(\(([function] + arguments).joined(separator: ", "))))"
    }

    private mutating func name() -> String {
        source.choice(of: ["a", "b", "t", "f", "s", "n", "t.k", "t[1]"])
    }

    private mutating func event() -> String {
        source.choice(of: [
            "__index", "__newindex", "__call", "__len", "__eq", "__lt", "__concat", "__add",
            "__tostring", "__name", "__pairs", "__close", "__unm", "__mode", "__gc", "__metatable",
        ])
    }

    private mutating func binary() -> String {
        source.choice(of: [
            "+", "-", "*", "/", "//", "%", "^", "..", "==", "<", "<=", "&", "|", "~", "<<", ">>",
        ])
    }

    private mutating func literal() -> String { source.choice(of: Self.literals) }

    private static let functions: [String] = [
        "assert", "error", "ipairs", "next", "pairs", "pcall", "xpcall", "select", "tonumber",
        "tostring",
        "type", "rawequal", "rawlen", "rawget", "rawset", "setmetatable", "getmetatable", "print",
        "f",
        "string.byte", "string.char", "string.find", "string.format", "string.gmatch",
        "string.gsub",
        "string.len", "string.lower", "string.match", "string.pack", "string.packsize",
        "string.rep",
        "string.reverse", "string.sub", "string.unpack", "string.upper", "table.concat",
        "table.insert",
        "table.move", "table.pack", "table.remove", "table.sort", "table.unpack", "math.random",
        "math.tointeger", "math.fmod", "math.floor", "utf8.char", "utf8.codepoint", "utf8.codes",
        "utf8.len",
        "utf8.offset", "coroutine.close", "coroutine.create", "coroutine.isyieldable",
        "coroutine.resume",
        "coroutine.running", "coroutine.status", "coroutine.wrap", "coroutine.yield", "t", "s.rep",
        "s.format",
    ]

    private static let literals: [String] = [
        "nil", "true", "false", "0", "1", "-1", "2", "3", "7", "64", "1000", "1e9", "0.5", "1e308",
        "1/0",
        "0/0", "-0.0", "math.maxinteger", "math.mininteger", "\"\"", "\"a\"", "\"abc abc\"",
        "\"%a+\"",
        "\"(.)%1\"", "\"[^%s]*\"", "\"%b()\"", "\"%f[%w]\"", "\"(a*(.)%w(%s*))\"",
        "\"%d %s %q %5.2f\"",
        "\"%p%s%x\"", "\"<i4 z s1\"", "\"\\xff\\0\"", "\"é😀\"", "{}", "{ 1, nil, 3 }", "{ k = {} }",
        "t", "f",
        "s", "print", "string", "math", "function() end", "function(x, y) return y, x end", "_ENV",
        "(\"x\"):rep(300)", "(\"xy\"):rep(20000)", "coroutine.wrap(print)", "string.rep",
    ]
}
