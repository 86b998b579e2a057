import PlainValue
import Testing

@testable import LuaSyntax

@Suite struct LuaSourceTests {
    private func literals(_ text: String) throws -> [Value?] {
        try LuaLexer.tokens(of: Array(text.utf8)).compactMap { token in
            if case .literal(let value) = token.kind { .some(value) } else { nil }
        }
    }

    @Test(arguments: [
        (#""a\n\t\\\"\'\065\x41\u{48}\z   b""#, "a\n\t\\\"'AAHb"),
        ("'a\\\nb'", "a\nb"),
        ("[[\na]]", "a"),
        ("[==[a]]b]=]c]==]", "a]]b]=]c"),
        ("[[a\r\nb]]", "a\nb"),
        (#""--[[ no comment""#, "--[[ no comment"),
    ]) func stringsHaveTheValueThatLuaGivesThem(_ text: String, _ value: String) throws {
        #expect(try literals(text) == [.string(value)])
    }

    @Test(arguments: [
        ("10", Value.int(10)), ("0x1F", .int(31)), ("1e3", .double(1000)), (".5", .double(0.5)),
        ("3.", .double(3)), ("1E-2", .double(0.01)), ("9223372036854775807", .int(.max)),
        ("9223372036854775808", .double(9_223_372_036_854_775_808)),
    ]) func numbersHaveTheValueThatLuaGivesThem(_ text: String, _ value: Value) throws {
        #expect(try literals(text) == [value])
    }

    @Test(arguments: [
        "local function f() return f end return f",
        "local t = {} function t:m() return function() return self, t end end return t",
        "return function(a) a = function() return a end return function() end end",
        "return (function() local b = function() return b end return",
    ]) func aTextThatNobodyHasAnyMoreIsFreed(_ text: String) throws {
        weak var first: LuaFunction?
        weak var outermost: LuaFunction?
        func read() throws {
            var parser = LuaParser(try LuaLexer.tokens(of: Array(text.utf8)))
            _ = try? parser.parse()
            outermost = parser.source.main
            first = parser.source.functions.first
            #expect(first != nil)
        }
        try read()
        #expect(first == nil)
        #expect(outermost == nil)
    }

    @Test func literalThatIsNoPlainValueHasNoValue() throws {
        #expect(try literals(#" "\xFF" "\u{7FFFFFFF}" 0x1p4 1e999 "#) == [nil, nil, nil, nil])
    }

    @Test(arguments: [
        "-- a\n--[[ b\n]] --[==[ c ]] ]==] --[ d\n", "#!/usr/bin/env workflow-run\n",
        "\u{FEFF}#!/usr/bin/env workflow-run\n", "\u{FEFF}", "\r\n\n\r \t\u{0B}\u{0C}",
    ]) func commentsAndSpaceAreNoWords(_ text: String) throws {
        #expect(try LuaLexer.tokens(of: Array(text.utf8)).map(\.kind) == [.end])
    }

    @Test func operatorsAreReadAsLongAsTheyCanBe() throws {
        let kinds = try LuaLexer.tokens(of: Array("a...b..c//d::e<<=f~=g".utf8)).map(\.kind)
        #expect(
            kinds == [
                .name("a"), .symbol("..."), .name("b"), .symbol(".."), .name("c"), .symbol("//"),
                .name("d"), .symbol("::"), .name("e"), .symbol("<<"), .symbol("="), .name("f"),
                .symbol("~="), .name("g"), .end,
            ])
    }

    @Test func placesCountFromBehindAByteOrderMark() throws {
        let places = try LuaLexer.tokens(of: Array("\u{FEFF}a\n b".utf8)).map(\.place)
        #expect(places == [(1, 1), (2, 2), (2, 3)].map { SourcePlace(line: $0.0, column: $0.1) })
    }

    @Test func placesCountLinesOfAllKindsAndBytes() throws {
        let text = "a\r\nb\n\rc\r  d --[[\n\n]] e 'ü' f"
        let places = try LuaLexer.tokens(of: Array(text.utf8)).map(\.place)
        let expected = [(1, 1), (2, 1), (3, 1), (4, 3), (6, 4), (6, 6), (6, 11), (6, 12)]
        #expect(places == expected.map { SourcePlace(line: $0.0, column: $0.1) })
    }

    @Test(arguments: [
        "'a", "\"a\n\"", "[[a", "--[[a", #""\q""#, #""\300""#, #""\xg""#, #""\u{""#, "3x", "$",
        "local", "x", "x =", "f(", "return 1 x", "if a then", "for i do end", "goto", "::a",
        "local function end", "a.b:c = 1 2", "(a", "end",
    ]) func whatIsNoLuaIsNotUnderstood(_ text: String) {
        #expect(throws: UnreadableSource.self) { try LuaSource(Array(text.utf8)) }
    }

    @Test func namesAreTheVariablesInScope() throws {
        let source = try LuaSource(
            Array(
                """
                local a = a
                local function f(b, ...) return a, b, c end
                do local c = 1; a = c end
                for i, j in pairs(i) do local k = i + j end
                repeat local done = f() until done
                function a.x.y:z(w) return self, w end
                local l <const>, m <close> = 1
                print(k, done, self)
                """.utf8))
        #expect(
            source.globals.map(\.name) == ["a", "c", "pairs", "i", "print", "k", "done", "self"])
        #expect(source.globals.map(\.place.line) == [1, 2, 4, 4, 8, 8, 8, 8])
        #expect(
            source.variables.map(\.name) == [
                "a", "f", "b", "c", "i", "j", "k", "done", "self", "w", "l", "m",
            ])
        #expect(source.variables.map(\.reads.count) == [2, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0])
        #expect(source.variables.first?.assignments.count == 1)
    }

    @Test func depthIsBounded() throws {
        func nested(_ count: Int) -> [UInt8] {
            let (open, close) = (
                Array(repeating: "{", count: count), Array(repeating: "}", count: count)
            )
            return Array(("x = " + open.joined() + close.joined()).utf8)
        }
        #expect(throws: UnreadableSource.self) { try LuaSource(nested(10_000)) }
        _ = try LuaSource(nested(190))
        let chain = "x = a" + String(repeating: ".b", count: 10_000)
        _ = try LuaSource(Array(chain.utf8))
        let sum = "x = 1" + String(repeating: " + 1", count: 10_000)
        _ = try LuaSource(Array(sum.utf8))
    }
}
