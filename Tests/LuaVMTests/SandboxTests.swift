import LuaVM
import PlainValue
import TestSupport
import Testing

@Suite struct SandboxTests {
    @Test func onlyTheAllowedNamesExist() throws {
        let vm = try LuaVM()
        let names = """
            local r = {}
            for k, v in pairs(_ENV) do
                if type(v) == "table" then
                    for name in pairs(v) do r[#r + 1] = k .. "." .. name end
                else
                    r[#r + 1] = k
                end
            end
            return table.concat(r, " ")
            """
        #expect(
            try vm.run(names) == """
                assert coroutine.close coroutine.create coroutine.isyieldable coroutine.resume \
                coroutine.running coroutine.status coroutine.wrap coroutine.yield error \
                getmetatable ipairs math.abs math.acos math.asin math.atan math.ceil math.cos \
                math.cosh math.deg math.exp math.floor math.fmod math.frexp math.huge math.ldexp \
                math.log math.log10 math.max math.maxinteger math.min math.mininteger math.modf \
                math.pi math.pow math.rad math.random math.sin math.sinh math.sqrt math.tan \
                math.tanh math.tointeger math.type math.ult next pairs pcall \
                print rawequal rawget rawlen rawset select setmetatable string.byte string.char \
                string.find string.format string.gmatch string.gsub string.len string.lower \
                string.match string.pack string.packsize string.rep string.reverse string.sub \
                string.unpack string.upper table.concat table.insert table.move table.pack \
                table.remove table.sort table.unpack tonumber tostring type utf8.char \
                utf8.charpattern utf8.codepoint utf8.codes utf8.len utf8.offset xpcall
                """)
    }

    @Test(arguments: [
        ("x = 1", "assignment to undefined global 'x'; declare it local"),
        ("print = nil", "assignment to global 'print', which is read-only"),
        ("string.rep = nil", "string is read-only"), ("math.huge = 1", "math is read-only"),
        ("rawset(string, 'rep', 1)", "a table of the host is read-only"),
        ("rawset(_ENV, 'x', 1)", "a table of the host is read-only"),
        ("table.insert(math, 1)", "a table of the host is read-only"),
        ("setmetatable(string, {})", "a table of the host is read-only"),
        ("setmetatable({}, {__gc = print})", "a metatable with '__gc' is not available to scripts"),
        (
            "setmetatable(setmetatable({}, {__metatable = 1}), {})",
            "cannot change a protected metatable"
        ), ("coroutine.yield()", "attempt to yield from outside a coroutine"),
        ("coroutine.resume(coroutine.running(), 1) error('refused', 0)", "refused"),
        ("coroutine.close(coroutine.running())", "cannot close a running coroutine"),
        ("string.format('%d', 'x')", "bad argument #2 to 'format' (number expected, got string)"),
        ("('xx'):rep(1 << 62)", "resulting string too large"),
        ("return nothing.at.all", "there is no global 'nothing'"),
        ("if nothing then end", "there is no global 'nothing'"),
        ("return not _ENV.nothing", "there is no global 'nothing'"),
        ("return setmetatable({}, { __index = _ENV }).nothing", "there is no global 'nothing'"),
        ("return jit.off", "attempt to index a nil value (global 'jit')"),
        (
            "error(select(2, pcall(table.insert, {}, 5, 1)), 0)",
            "bad argument #2 to 'table.insert' (position out of bounds)"
        ), ("table.concat({1, {}})", "invalid value (table) at index 2 in table for 'concat'"),
        ("pairs(nil)", "bad argument #1 to 'pairs' (table expected, got nil)"),
        ("('x'):find('[a')", "malformed pattern (missing ']')"),
    ]) func whatIsNotAllowedIsAPlacedError(source: String, message: String) throws {
        let vm = try LuaVM()
        let error = try vm.failure(of: "\n" + source)
        #expect(error.message == message)
        #expect(error.location == LuaLocation(chunk: "t.lua", line: 2))
    }

    @Test func namesThatSomeLuaHasAreNil() throws {
        let vm = try LuaVM()
        #expect(try vm.run("return rawget(_ENV, 'nothing') == nil") == true)
        #expect(try vm.run("return _ENV[1] == nil and _ENV[true] == nil") == true)
        #expect(try vm.run("return (unpack or table.unpack)({ 1 })") == 1)
    }

    @Test func theHostSetsGlobals() throws {
        let vm = try LuaVM()
        try vm.setGlobal("answer", to: .value(42))
        #expect(try vm.run("return answer") == 42)
    }

    @Test func pairsHasADefinedOrder() throws {
        let vm = try LuaVM()
        let value = try vm.run(
            """
            local t = {10, 20, z = 1, a = 2, m = 3, [7] = 4, [2.5] = 5, [-1] = 6, [true] = 7,
                [false] = 8, aa = 9}
            local r, q = {}, {}
            for k in pairs(t) do r[#r + 1] = tostring(k) end
            for k in next, t do q[#q + 1] = tostring(k) end
            return {table.concat(r, " "), table.concat(q, " ")}
            """)
        let order: Value = "1 2 7 a aa m z false true -1 2.5"
        #expect(value == [order, order])
    }

    @Test func fieldsMayBeClearedWhileIterating() throws {
        let vm = try LuaVM()
        #expect(
            try vm.run(
                """
                local t, n = {1, 2, 3, a = 1, b = 2, c = 3}, 0
                for k in pairs(t) do t[k] = nil t.c = nil n = n + 1 end
                return {n, next(t) == nil}
                """) == [5, true])
    }

    @Test func pairsHonoursTheMetamethod() throws {
        let vm = try LuaVM()
        #expect(
            try vm.run(
                """
                local t = setmetatable({}, {__pairs = function() return next, {a = 1}, nil end})
                for k in pairs(t) do return k end
                """) == "a")
    }

    @Test func theSeedDecidesRandomNumbers() throws {
        func numbers(_ seed: UInt64) throws -> Value {
            var options = LuaVM.Options.unhurried
            options.seed = seed
            return try LuaVM(options).run("return {math.random(1000000), math.random(1000000)}")
        }
        #expect(try numbers(1) == numbers(1))
        #expect(try numbers(1) != numbers(2))
    }

    @Test func noTextShowsAnAddress() throws {
        let vm = try LuaVM()
        #expect(
            try vm.run(
                """
                return {tostring({}), tostring(print), tostring(coroutine.create(print)),
                    string.format("%s|%10s|%p|%q", {}, print, {}, "x"),
                    tostring(setmetatable({}, {__name = "point"})),
                    tostring(setmetatable({}, {__tostring = function() return "own" end}))}
                """) == [
                    "table", "function", "thread", "table|  function|table|\"x\"", "point", "own",
                ])
    }

    @Test func xpcallRunsItsHandler() throws {
        let vm = try LuaVM()
        #expect(
            try vm.run(
                """
                local a = {xpcall(function(...) return ... end, print, 1, 2)}
                local b = {xpcall(function() error("no", 0) end, function(m) return m .. "!" end)}
                return {a, b}
                """) == [[true, 1, 2], [false, "no!"]])
    }

    @Test func coroutinesWork() throws {
        let vm = try LuaVM()
        #expect(
            try vm.run(
                """
                local r = {}
                local co = coroutine.create(function(a)
                    local b = coroutine.yield(a + 1)
                    xpcall(function() coroutine.yield(b * 2) end, print)
                    error("end", 0)
                end)
                r[1] = {coroutine.resume(co, 1)}
                r[2] = {coroutine.resume(co, 10)}
                r[3] = {coroutine.resume(co)}
                r[4] = {coroutine.status(co), coroutine.isyieldable()}
                r[5] = {coroutine.resume(co)}
                for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do
                    r[#r + 1] = i
                end
                return r
                """) == [
                    [true, 2], [true, 20], [false, "end"], ["dead", false],
                    [false, "cannot resume dead coroutine"], 1, 2, 3,
                ])
    }
}
