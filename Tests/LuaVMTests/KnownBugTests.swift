import LuaVM
import PlainValue
import TestSupport
import Testing

/// Known bugs of Lua 5.4.4 that scripts can reach: whatever they cause, the VM stays sound.
@Suite struct KnownBugTests {
    @Test(arguments: [
        "local _ENV <const> = {x = 1} return x",
        "local function f() local _ENV <const> = {1, 2} return _ENV[1] end return f()",
        "local a <const> = 3 return {a & 1, ~a | 0x7fffffffffffffff, 1 << a, a // 1 | 2.0}",
        "local t = {[true] = 'yes', [false] = 'no'} return t[1 < 2]",
        "local t = {} local function f() return t[#t == 0] end t[true] = 'x' return f()",
        """
        local closed = 0
        local function iterate()
            local close = setmetatable({}, {__close = function() closed = closed + 1 end})
            return function() return 1 end, nil, nil, close
        end
        for i in iterate() do if i then break end end
        return closed
        """, "local n = 0 for _, c in utf8.codes('a\\x80b') do n = n + c end return n",
        "return ('_ENV').x + 1",
        "local function loop() assert(pcall(loop)) end return xpcall(loop, loop)",
        "return {('a\\0b' < 'a\\0c'), ('\\0' < '\\0\\0'), ('a\\0' < 'a')}",
    ]) func theVMIsSoundAfterwards(source: String) throws {
        let vm = try LuaVM()
        for _ in 1...3 { _ = try? vm.run(source) }
        vm.collectGarbage()
        #expect(
            try vm.run("local t = {} for i = 1, 3 do t[i] = {i} end return t") == [[1], [2], [3]])
        #expect(vm.memoryInUse < 1 << 20)
    }

    /// The handler is gone, so Lua calls whatever is in its place; with assertions Lua ends here.
    @Test(.disabled(if: isSanitized)) func aHandlerThatACloseHasOverwrittenIsAnError() throws {
        let vm = try LuaVM()
        let source = """
            local co = coroutine.create(function()
                local c <close> = setmetatable({}, {__close = function() local x = 134 error(x) end})
                xpcall(coroutine.yield, function() return 'handled' end)
            end)
            coroutine.resume(co)
            local fine, message = coroutine.close(co)
            return fine
            """
        for _ in 1...3 { #expect(try vm.run(source) == false) }
        vm.collectGarbage()
        #expect(try vm.run("return {1}") == [1])
    }

    @Test func aMetatableIsNeverWeak() throws {
        let vm = try LuaVM()
        let made = try vm.call(
            vm.load(
                "local mt = setmetatable({ __newindex = {} }, { __mode = 'v' }) return mt",
                chunkName: "t.lua"), returning: .reference)
        vm.collectGarbage()
        let metatable = try #require(made.reference)
        #expect(try vm.field("__newindex", of: metatable).type == .table)
    }
}
