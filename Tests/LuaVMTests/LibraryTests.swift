import LuaVM
import PlainValue
import Testing

/// Functions of the sandbox's own give what stock Lua gives.
@Suite struct LibraryTests {
    @Test(arguments: [
        ("return ('').rep('', 2, 'ab')", Value.string("ab")),
        ("return ('').rep('', 4, 'ab')", "ababab"),
        ("return ('').rep('', 1, 'ab')", ""),
        ("return ('x').rep('x', 3, '-')", "x-x-x"),
        ("return ('x'):rep(5)", "xxxxx"),
        ("return ('x'):rep(0, '-')", ""),
    ])
    func repeatedTextIsMadeOfItsArgumentsAlone(source: String, value: Value) throws {
        #expect(try LuaVM().run(source) == value)
    }

    @Test func theClassOfTheZeroByteIsStillThere() throws {
        #expect(try LuaVM().run("return { ('a\\0b'):find('%z') }") == [2, 2])
        #expect(try LuaVM().run("return { ('\\0a'):find('%Z') }") == [2, 2])
    }

    @Test func aPointerIsShownAsATypeAndAnythingElseAsNone() throws {
        #expect(try LuaVM().run("return ('%p|%p'):format({}, 1)") == "table|(null)")
        #expect(try LuaVM().run("return ('%p'):format('text')") == "text")
    }

    /// A border at the largest integer: there is no place after it.
    @Test(arguments: [
        ("table.insert(t, 'x')", "t[math.maxinteger] == 'x'"),
        ("pcall(table.insert, t, math.mininteger, 'x')", "t[math.mininteger] == nil"),
        ("table.remove(t)", "t[math.maxinteger - 1] == nil"),
    ])
    func nothingIsPutBehindTheLargestIndex(call: String, check: String) throws {
        let value = try LuaVM().run(
            """
            local t = { [math.maxinteger] = 1, [math.maxinteger - 1] = 1 }
            for i = 0, 62 do t[1 << i], t[(1 << i) + 1] = 1, 1 end
            \(call)
            return \(check)
            """)
        #expect(value == true)
    }
}
