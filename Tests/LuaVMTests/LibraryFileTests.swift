import LuaVM
import PlainValue
import TestSupport
import Testing

/// Files of libraries have globals of their own, and what code for plain Lua expects.
@Suite struct LibraryFileTests {
    private let vm: LuaVM

    init() throws { vm = try LuaVM(.unhurried) }

    private func run(_ source: String) throws -> Value {
        let function = try Array(source.utf8).withUnsafeBytes {
            try vm.loadLibrary($0, chunkName: "library.lua")
        }
        return try vm.call(function, returning: .value).value ?? .null
    }

    private func flow(_ source: String) throws -> Value { try vm.run(source) }

    private func failure(_ source: String) throws -> LuaError {
        try #require(throws: LuaError.self) { try run(source) }
    }

    @Test func globalsOfLibrariesCanBeWritten() throws {
        #expect(
            try run(
                """
                answer = 42 string.shout = string.upper return { answer, _G.answer, _G ==
                _ENV }
                """) == [42, 42, true])
        // All library files have them.
        #expect(try run("return { answer, string.shout('a') }") == [42, "A"])
    }

    @Test func aFlowDoesNotSeeThem() throws {
        _ = try run(
            """
            answer = 42 string.rep = nil table.insert = print math.pi = 3 print = nil
            pairs = nil
            """)
        #expect(
            try flow(
                """
                return { rawget(_ENV, 'answer') == nil, ('a'):rep(2), type(table.insert),
                    math.pi > 3, type(pairs) }
                """) == [true, "aa", "function", true, "function"])
        #expect(try run("return { ('a'):rep(2), string.rep == nil }") == ["aa", true])
    }

    @Test func aFlowHasTheNamesForReadingAlone() throws {
        #expect(
            try flow("return { _G == _ENV, _VERSION, _G.pairs == pairs }") == [
                true, "Lua 5.4", true,
            ])
        for name in ["_G", "io", "os", "debug"] {
            let error = try vm.failure(of: "\(name).x = 1")
            #expect(error.code == .runtime, "\(name)")
        }
        #expect(
            try flow(
                """
                return rawget(_ENV, 'io') == nil and pcall(rawset, os, 'x', 1)
                """) == false)
    }

    /// A loop over the globals must not depend on which ones were read before.
    @Test func namesThatAreMadeLateAreInNoLoop() throws {
        let names = "local n = 0 for name in pairs(_ENV) do n = n + 1 end return n"
        let before = try flow(names)
        _ = try flow("return type(io) .. type(os) .. type(debug) .. type(_G)")
        #expect(try flow(names) == before)
    }

    @Test func loadMakesAFunctionOfText() throws {
        #expect(try run("return load('return 1 + ...')(2)") == 3)
        #expect(
            try run(
                """
                local n = 0 return load(function() n = n + 1 return ({ 'return ', '7' })[n]
                end)()
                """) == 7)
        #expect(try run("x = 5 return load('return x')()") == 5)
        #expect(try run("return load('return x', 'name', 't', { x = 6 })()") == 6)
        #expect(try run("return load('y = 1', 'name', 't', {})() == nil and y == nil") == true)
    }

    @Test(arguments: [
        ("load('return +')", "[string \"return +\"]:1: unexpected symbol near '+'"),
        ("load('x', '@flow.lua')", "[string \"flow.lua\"]:1: syntax error near <eof>"),
        ("load(string.rep(' ', 65537))", "the text has more than 65536 bytes"),
        ("load(function() return (' '):rep(1000) end)", "the text has more than 65536 bytes"),
        ("load('return 1', 'x', 'b')", "attempt to load a text chunk (mode is not 't')"),
        ("load('\\27Lua')", "attempt to load a binary chunk (mode is 't')"),
    ]) func loadRefusesWithAMessage(call: String, message: String) throws {
        #expect(
            try run("local f, message = \(call) return { f == nil, message }") == [
                true, .string(message),
            ])
    }

    @Test func theNameOfAChunkIsNoFileOfTheFlow() throws {
        let error = try failure("load('\\n\\nerror(\"no\")', '@flow.lua')()")
        #expect(error.location == LuaLocation(chunk: "[string \"flow.lua\"]", line: 3))
    }

    @Test func aFlowHasNoLoad() throws {
        #expect(try flow("return load == nil and loadstring == nil and dofile == nil") == true)
    }

    @Test(arguments: [
        "local n = 0 while true do load('return ' .. ('x or '):rep(1000) .. n) n = n + 1 end",
        "load(function() while true do end end)",
        "while true do load(function() return nil end) end",
    ]) func loadEndsAtTheLimit(source: String) throws {
        var options = LuaVM.Options.unhurried
        options.instructionLimit = 1_000_000
        let vm = try LuaVM(options)
        let function = try Array(source.utf8).withUnsafeBytes {
            try vm.loadLibrary($0, chunkName: "library.lua")
        }
        let error = #expect(throws: LuaError.self) { try vm.call(function) }
        #expect(error?.code == .instructionLimit)
    }

    @Test func functionsOfLoadCountAsMemory() throws {
        var options = LuaVM.Options.unhurried
        options.memoryLimit = 8 << 20
        let vm = try LuaVM(options)
        let source = """
            local all = {} while true do all[#all + 1] = load('local x = 1 return x') end
            """
        let function = try Array(source.utf8).withUnsafeBytes {
            try vm.loadLibrary($0, chunkName: "library.lua")
        }
        let error = #expect(throws: LuaError.self) { try vm.call(function) }
        #expect(error?.code == .memoryLimit)
    }

    @Test func metamethodsMayBeAddedAfterSetmetatable() throws {
        let source = """
            local M = {}
            local a, b = setmetatable({ n = 1 }, M), setmetatable({ n = 2 }, M)
            local before = { a.x == nil, #a, a == b, pcall(function() return a + b end) }
            M.__index = function(_, key) return key end
            M.__newindex = function(t, key, value) rawset(t, key, value * 2) end
            M.__call = function(self, ...) return self.n, ... end
            M.__len = function() return 7 end
            M.__eq = function() return true end
            M.__lt = function(x, y) return x.n < y.n end
            M.__le = function(x, y) return x.n <= y.n end
            M.__add = function(x, y) return (type(x) == 'table' and x.n or x) + (type(y) ==
                'table' and y.n or y) end
            M.__unm = function(x) return -x.n end
            M.__band = function() return 'and' end
            a.y = 4
            return { before[1], before[2], before[3], before[4], a.x, a.y, { a('p', 'q') }, #a, a
                == b,
                a < b, a <= b, a > b, a + b, 1 + b, -a, a & 1 }
            """
        #expect(
            try run(source) == [
                true, 0, false, false, "x", 8, [1, "p", "q"], 7, true, true, true, false, 3, 3, -1,
                "and",
            ])
    }

    @Test func tablesAreAskedAsLuaAsksThem() throws {
        let source = """
            local Base = { hello = function() return 'hello' end }
            local Class = {}
            local object = setmetatable({}, Class)
            Class.__index = setmetatable({}, { __index = Base })
            local log = {}
            Class.__newindex = log
            object.x = 1
            return { object.hello(), log.x, rawget(object, 'x') == nil }
            """
        #expect(try run(source) == ["hello", 1, true])
    }

    @Test(arguments: [
        ("local t = setmetatable({}, {}) t()", "attempt to call a table value (local 't')"),
        (
            "local t = { x = setmetatable({}, {}) } t.x()",
            "attempt to call a table value (field 'x')"
        ),
        (
            "local m = {} local t = setmetatable({}, m) m.__call = {} t()",
            "'__call' of a metatable is a function here, not a table value"
        ),
        (
            "local t = setmetatable({}, {}) return t + 1",
            "attempt to perform arithmetic on a table value"
        ),
        (
            "local t = setmetatable({}, {}) return 1 // t",
            "attempt to perform arithmetic on a table value"
        ),
        (
            "local t = setmetatable({}, {}) return t | 1",
            "attempt to perform bitwise operation on a table value"
        ), ("local t = setmetatable({}, {}) return t < t", "attempt to compare two table values"),
        ("local t = setmetatable({}, {}) return 1 < t", "attempt to compare number with table"),
        ("local t = setmetatable({}, {}) t[nil] = 1", "table index is nil"),
        (
            "setmetatable({}, { __gc = print })",
            "a metatable with '__gc' is not available to scripts"
        ),
    ]) func withoutThemErrorsAreThoseOfLua(source: String, message: String) throws {
        #expect(try failure(source).message == message)
    }

    @Test func oneThatCallsItselfEndsWithAnError() throws {
        let source = """
            local M = {}
            local t = setmetatable({}, M)
            M.__index = function(t, key) return t[key] end
            return t.x
            """
        #expect([.runtime, .depth].contains(try failure(source).code))
    }

    @Test func oneMayYield() throws {
        let source = """
            local M = {}
            local t = setmetatable({}, M)
            M.__index = function(_, key) return coroutine.yield(key) end
            M.__call = function(_, x) return coroutine.yield(x) end
            local co = coroutine.wrap(function() local a = t.x return a + t(10) end)
            return { co(), co(1), co(2) }
            """
        #expect(try run(source) == ["x", 10, 3])
    }

    @Test func nothingCanBeOpened() throws {
        #expect(
            try flow(
                """
                local file, message, code = io.open('/etc/passwd') return { file == nil,
                message, code }
                """) == [true, "/etc/passwd: flows have no files", 2])
        #expect(
            try vm.failure(of: "for line in io.lines('x') do end").message
                == "x: flows have no files")
        #expect(
            try flow(
                """
                return { io.type(io.stdout), io.type({}) == nil, io.read() == nil }
                """) == ["file", true, true])
        #expect(
            try flow(
                """
                return { io.popen == nil, os.execute == nil, os.clock == nil, os.exit == nil }
                """) == [true, true, true, true])
        #expect(
            try flow(
                """
                return { os.getenv('PATH') == nil, debug.sethook == nil, debug.getlocal == nil }
                """) == [true, true, true])
    }

    @Test func whatIsWrittenIsPrinted() throws {
        var lines: [String] = []
        vm.onPrint = { lines.append($0.text) }
        _ = try flow(
            """
            io.write('a', 1, '\\n') io.stdout:write('b'):write('c\\n') io.stderr:write('')
            return 1
            """)
        #expect(lines == ["a1", "b", "c"])
    }

    @Test(
        arguments: [
            ("os.time({ year = 1970, month = 1, day = 1, hour = 0 })", 0),
            ("os.time({ year = 2024, month = 2, day = 30 })", 1_709_294_400),
            (
                """
                os.time({ year = 2000, month = 14, day = -3, hour = 25, min = 61, sec = 3661 })
                """, 980_737_321
            ), ("os.time({ year = 1, month = 1, day = 1, hour = 0 })", -62_135_596_800),
            ("math.tointeger(os.difftime(5, 3))", 2),
        ] as [(String, Int)])
    func timesAreThoseOfTheCalendar(expression: String, time: Int) throws {
        #expect(try flow("return \(expression)") == .int(time))
    }

    @Test func fieldsOfATimeAreNormalized() throws {
        let source = """
            local t = { year = 2023, month = 12, day = 32, hour = 0 }
            os.time(t)
            return { t.year, t.month, t.day, t.wday, t.yday, t.isdst }
            """
        #expect(try flow(source) == [2024, 1, 1, 2, 1, false])
    }

    @Test(arguments: [
        ("%Y-%m-%d %H:%M:%S", "2024-12-30 23:05:09"), ("%c", "Mon Dec 30 23:05:09 2024"),
        ("%a %A %b %B %h", "Mon Monday Dec December Dec"),
        ("%x %X %p %r %R %T", "12/30/24 23:05:09 PM 11:05:09 PM 23:05 23:05:09"),
        ("%j %U %W %u %w %V %G %g %C %y %e", "365 52 53 1 1 01 2025 25 20 24 30"),
        ("%z %Z %% %D %F %I %s", "+0000 GMT % 12/30/24 2024-12-30 11 1735599909"),
        ("!%d%n%t", "30\n\t"),
    ]) func datesAreInUTC(format: String, text: String) throws {
        #expect(try flow("return os.date('\(format)', 1735599909)") == .string(text))
    }

    @Test(arguments: [
        ("os.date('%', 0)", "bad argument #1 to 'date' (invalid conversion specifier '%\u{0}')"),
        ("os.date('%Ey', 0)", "bad argument #1 to 'date' (invalid conversion specifier '%E')"),
        ("os.date('%c', 1 << 62)", "bad argument #2 to 'date' (time out-of-bounds)"),
        ("os.time({ year = 1 << 40, month = 1, day = 1 })", "field 'year' is out-of-bound"),
        ("os.time({ year = 2000, month = 1.5, day = 1 })", "field 'month' is not an integer"),
        ("os.time({ year = 2000, month = 1 })", "field 'day' missing in date table"),
    ]) func oddDatesAreRefused(call: String, message: String) throws {
        #expect(try vm.failure(of: call).message.hasPrefix(message.prefix { $0 != "\u{0}" }))
    }

    @Test func placesAreTold() throws {
        let source = """
            local function f() return debug.getinfo(1, 'Sl') end
            local info, own = f(), debug.getinfo(print)
            return { info.short_src, info.source, info.what, info.currentline, info.linedefined,
                own.what,
                debug.getinfo(f, 'S').linedefined, debug.getinfo(1000) == nil, info.func == nil }
            """
        #expect(try flow(source) == ["t.lua", "@t.lua", "Lua", 1, 1, "C", 1, true, true])
        #expect(
            try flow(
                """
                local function f() return debug.traceback('no') end
                local x = f() return x
                """) == """
                    no
                    stack traceback:
                    \tt.lua:1: in function <t.lua:1>
                    \tt.lua:2: in main chunk
                    """)
        #expect(
            try flow(
                """
                return select('#', debug.traceback({})) == 1 and debug.traceback(nil):sub(1, 5)
                """) == "stack")
    }

    private func longFile(_ piece: String, _ count: Int, before: String = "", after: String = "")
        -> String
    { before + String(repeating: piece, count: count) + after }

    @Test func aLibraryMayBeLong() throws {
        let body = longFile(
            """
            function f(a, b) local c = a.b or b if c then return c.d end return { x = 1 }
            end\n
            """, 9000)
        #expect(body.utf8.count > 700_000)
        #expect(try run(body + "return f({ b = { d = 5 } })") == 5)
        #expect(try vm.failure(of: body).code == .sourceTooLong)
        let longer = String(repeating: " ", count: 1 << 20) + "x = 1"
        #expect(try failure(longer).code == .sourceTooLong)
    }

    /// The constructs for which Lua's compiler takes time proportional to the length squared.
    @Test(
        arguments: [
            ("return a", " or a", 200_000, "an expression has more than 256 'and' and 'or'"),
            (
                "return (a", " and (a or b)", 60_000,
                "an expression has more than 256 'and' and 'or'"
            ), ("return a", " == a or a", 60_000, "an expression has more than 256 'and' and 'or'"),
            ("if a then", " elseif a then", 60_000, "a statement has more than 256 'elseif'"),
            ("while a do", " break;", 100_000, "a function has more than 256 jumps"),
            ("do", " goto a", 100_000, "a function has more than 256 jumps"),
            ("do", " ::a::", 100_000, "a function has more than 256 jumps"),
            ("return a", ".a", 400_000, "a field has more than 256 fields before it"),
            ("return a", "[1]", 300_000, "a field has more than 256 fields before it"),
            ("return a", ":a()", 200_000, "a field has more than 256 fields before it"),
            ("return ", "1", 500_000, "a number has more than 1024 digits"),
            ("return ", "(", 200_000, "it is nested too deeply"),
        ] as [(String, String, Int, String)])
    func whatTakesLongToCompileIsRefused(
        start: String, piece: String, count: Int, message: String
    ) throws {
        let source = longFile(piece, count, before: "x = 1\n" + start)
        let error = try failure(source)
        #expect(error.code == .syntax)
        #expect(error.message == message)
        #expect(error.location == LuaLocation(chunk: "library.lua", line: 2))
    }

    @Test func namesWithManyVariablesToChooseFromAreRefused() throws {
        var source = ""
        for level in 0..<40 {
            let names = (0..<190).map { "v\(level)_\($0)" }
            source += "local \(names.joined(separator: ",")) local function f()\n"
        }
        source += String(repeating: "x(x)", count: 100_000)
        #expect(try failure(source).message == "its names have too many variables to choose from")
    }

    /// None of these hides from the scan what Lua sees after it.
    @Test(arguments: [
        "x = 0xe+x", "x = 1 --[==[ ]] ]==]", "x = [=[ ]] ]=]", "x = '\\''", "x = a..b",
        "x = { a = 1, b = 2 }",
        "x = function(...) end", "local function f() end", "repeat local y until y", "x = 3.e+1",
        "for i = 1, 2 do end", "while a do end", "if a then elseif b then else end",
        "x = a.b[1]:c 'd'",
    ]) func theScanReadsAsLuaDoes(piece: String) throws {
        let tail = "return a" + String(repeating: " or a", count: 300)
        let source = longFile("y = 1\n", 20_000, before: piece + "\n", after: tail)
        #expect(try failure(source).message == "an expression has more than 256 'and' and 'or'")
        _ = try run(longFile("y = 1\n", 20_000, before: "local function f()\n\(piece)\nend\n"))
    }

    @Test func aLongNameOfAFileIsWhole() throws {
        let name = "lua_modules/share/lua/5.4/" + String(repeating: "folder/", count: 10) + "x.lua"
        let error = #expect(throws: LuaError.self) {
            try Array("\nreturn (".utf8).withUnsafeBytes { try vm.loadLibrary($0, chunkName: name) }
        }
        #expect(error?.location == LuaLocation(chunk: name, line: 2))
        #expect(error?.message == "unexpected symbol near <eof>")
    }
}
