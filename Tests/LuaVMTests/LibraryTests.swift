import LuaVM
import PlainValue
import TestSupport
import Testing

/// The sandbox's own functions give the results of stock Lua.
@Suite struct LibraryTests {
    @Test(arguments: [
        ("return ('').rep('', 2, 'ab')", Value.string("ab")),
        ("return ('').rep('', 4, 'ab')", "ababab"), ("return ('').rep('', 1, 'ab')", ""),
        ("return ('x').rep('x', 3, '-')", "x-x-x"), ("return ('x'):rep(5)", "xxxxx"),
        ("return ('x'):rep(0, '-')", ""),
    ]) func repeatedTextIsMadeOfItsArgumentsAlone(source: String, value: Value) throws {
        #expect(try LuaVM().run(source) == value)
    }

    @Test func aLengthIsThatOfTheFirstArgument() throws {
        let lengths = "{ rawlen('abc', { 1 }), rawlen({ 1, 2 }, 'abc') }"
        #expect(try LuaVM().run("return \(lengths)") == [3, 2])
    }

    @Test func whatPairsGivesGoesThroughAnyTableAsNextDoes() throws {
        let source = """
            local step, _, first = pairs({ a = 1 })
            local seen = {}
            for key, value in step, { 7, y = 2, x = 3 }, first do
                seen[#seen + 1] = key .. "=" .. value
            end
            local key, value = step({ b = 5 }, nil)
            return { seen, key, value, step({ b = 5 }, "b") == nil }
            """
        #expect(try LuaVM().run(source) == [["1=7", "x=3", "y=2"], "b", 5, true])
    }

    @Test func theClassOfTheZeroByteIsStillThere() throws {
        #expect(try LuaVM().run("return { ('a\\0b'):find('%z') }") == [2, 2])
        #expect(try LuaVM().run("return { ('\\0a'):find('%Z') }") == [2, 2])
    }

    @Test func aPointerIsShownAsATypeAndAnythingElseAsNone() throws {
        #expect(try LuaVM().run("return ('%p|%p'):format({}, 1)") == "table|(null)")
        #expect(try LuaVM().run("return ('%p'):format('text')") == "text")
    }

    @Test(arguments: [
        ("('x'):find('%')", "malformed pattern (ends with '%')"),
        ("('x'):find('%b')", "malformed pattern (missing arguments to '%b')"),
        ("('x'):find('%f')", "missing '[' after '%f' in pattern"),
        ("('x'):find(('()'):rep(33))", "too many captures"),
        ("('x'):match('x)')", "invalid pattern capture"),
        ("('x'):find('(x')", "unfinished capture"),
        ("('x'):find('%1')", "invalid capture index %1"),
        ("('x'):rep(300):match(('x?'):rep(300))", "pattern too complex"),
        ("('x'):gsub('x', '%2')", "invalid capture index %2 in replacement string"),
        ("('x'):gsub('x', '%a')", "invalid use of '%' in replacement string"),
        ("('x'):gsub('x', function() return {} end)", "invalid replacement value (a table)"),
        ("math.random(1, 2, 3)", "wrong number of arguments"),
        ("math.random(2, 1)", "bad argument #2 to 'random' (interval is empty)"),
        ("math.random(-1)", "bad argument #1 to 'random' (interval is empty)"),
        ("table.insert({})", "wrong number of arguments to 'insert'"),
        (
            "table.move({}, 0, math.maxinteger, 1)",
            "bad argument #3 to 'move' (too many elements to move)"
        ),
        (
            "table.move({}, 1, 2, math.maxinteger)",
            "bad argument #4 to 'move' (destination wrap around)"
        ), ("table.unpack({}, 1, 1e7)", "too many results to unpack"),
        (
            "local t = {} for i = 0, 27 do t[1 << i], t[(1 << i) + 1] = 1, 1 end table.sort(t)",
            "bad argument #1 to 'sort' (array too big)"
        ),
        ("string.packsize((' '):rep(65537))", "bad argument #1 to 'packsize' (format is too long)"),
        ("rawlen(1)", "bad argument #1 to 'rawlen' (table or string expected)"),
        ("rawset({}, nil, 1)", "table index is nil"), ("rawset({}, 0/0, 1)", "table index is NaN"),
        (
            "setmetatable({}, 1)",
            "bad argument #2 to 'setmetatable' (nil or table expected, got number)"
        ),
        (
            "tostring(setmetatable({}, { __tostring = function() return 1 end }))",
            "'__tostring' must return a string"
        ),
        (
            """
            local co
            co = coroutine.create(function() return coroutine.resume(co) end)
            error(select(3, coroutine.resume(co)), 0)
            """, "cannot resume non-suspended coroutine"
        ),
    ]) func misuseIsSaidInTheWordsOfStockLua(source: String, message: String) throws {
        let error = try LuaVM().failure(of: source)
        #expect(error.message == message)
    }

    /// A Lua thread's stack has room for less than a million values.
    @Test(arguments: [
        (
            """
            local co = coroutine.create(function(...) coroutine.yield() end)
            coroutine.resume(co, table.unpack({}, 1, 600000))
            error(select(2, coroutine.resume(co, table.unpack({}, 1, 600000))), 0)
            """, "too many arguments to resume"
        ),
        (
            """
            local co = coroutine.create(function() coroutine.yield(table.unpack({}, 1, 600000)) end)
            local function full(...) return select('#', coroutine.resume(co)), ... end
            full(table.unpack({}, 1, 600000))
            """, "too many results to resume"
        ),
        (
            "local t = {} for i = 1, 1100000 do t[-i] = true end for k in pairs(t) do end",
            "stack overflow (too many keys)"
        ),
    ]) func whatAStackHasNoRoomForIsRefused(source: String, message: String) throws {
        var options = LuaVM.Options()
        options.memoryLimit = 1 << 30
        options.timeLimit = nil
        let error = try LuaVM(options).failure(of: source)
        #expect(error.message == message)
    }

    @Test func aStateThatDoesNotFitTheLimitOfMemoryIsRefused() {
        var options = LuaVM.Options()
        options.memoryLimit = 1000
        let error = #expect(throws: LuaError.self) { try LuaVM(options) }
        #expect(error?.code == .memoryLimit)
        #expect(error?.message == "a Lua state cannot be made within the memory limit")
    }

    /// Threads that were all resumed from the same place close one another.
    @Test func closesThatAreNestedTooDeepAreStopped() {
        let source = """
            local chain, refusal = {}, nil
            for i = 1, 200 do
                chain[i] = coroutine.create(function()
                    local x <close> = setmetatable({}, { __close = function()
                        if i == 1 then return end
                        local ok, message = coroutine.close(chain[i - 1])
                        if not ok then refusal = refusal or message end
                    end })
                    coroutine.yield()
                end)
                coroutine.resume(chain[i])
            end
            coroutine.close(chain[200])
            error(refusal, 0)
            """
        let message = onStack(of: 8 << 20) {
            do throws(LuaError) {
                try LuaVM().run(source)
                return "no error"
            } catch { return error.message }
        }
        #expect(message == "t.lua:6: too many nested calls of coroutine.close")
    }

    /// A border at the largest integer: no index follows it.
    @Test(arguments: [
        ("table.insert(t, 'x')", "t[math.maxinteger] == 'x'"),
        ("pcall(table.insert, t, math.mininteger, 'x')", "t[math.mininteger] == nil"),
        ("table.remove(t)", "t[math.maxinteger - 1] == nil"),
    ]) func nothingIsPutBehindTheLargestIndex(call: String, check: String) throws {
        let value = try LuaVM().run(
            """
            local t = { [math.maxinteger] = 1, [math.maxinteger - 1] = 1 }
            for i = 0, 62 do t[1 << i], t[(1 << i) + 1] = 1, 1 end
            \(call)
            return \(check)
            """)
        #expect(value == true)
    }

    /// The index after the last element is allowed, and so is 0 for an empty list.
    @Test func removingFromAnEmptyListIsNoError() throws {
        #expect(
            try LuaVM().run(
                """
                return { #{ table.remove({}, 0) }, #{ table.remove({}, nil) }, #{ table.remove({}, 1) },
                    pcall(table.remove, {}, 2), (pcall(table.remove, { 7 }, 0)), table.remove({ 7 }, 1) }
                """) == [0, 0, 0, false, false, 7])
    }
}
