import PlainValue
import Testing

@testable import LuaSyntax

/// The kinds of an action's fields follow from the code that reads them.
@Suite struct ActionFieldTests {
    private func fields(_ body: String, before: String = "") throws -> [ActionField] {
        let source = """
            \(before)
            return { apply = { act = function(state, action) \(body) end } }
            """
        return try #require(ActionFields(source: Array(source.utf8)).workflows[""]?["act"])
    }

    private func kind(_ body: String, before: String = "") throws -> ActionField.Kind? {
        try fields(body, before: before).first { $0.name == "f" }?.kind
    }

    @Test(arguments: [
        ("assert(type(action.f) == \"string\")", ActionField.Kind.string),
        ("assert(\"number\" == type(action.f))", .number),
        ("if type(action.f) ~= \"boolean\" then return end", .boolean),
        ("assert(type(action.f) == \"table\")", .record),
        ("assert(type(action.f) == \"table\") for _, x in ipairs(action.f) do end", .list),
        ("assert(math.type(action.f) == \"integer\" and action.f > 0)", .integer),
        ("assert(math.type(action.f))", .number),
        ("state.n = tonumber(action.f)", .number),
        ("state.n = state.n + action.f", .number),
        ("state.n = -action.f", .number),
        ("if action.f >= 1 then end", .number),
        ("if action.f == \"doing\" then end", .string),
        ("if action.f == true then end", .boolean),
        ("state.n = action.f or 1", .number),
        ("state.n = action.f or \"nobody\"", .string),
        ("state.n = action.f & 1", .integer),
        ("for index = 1, action.f do end", .integer),
        ("state.n = action.f[1]", .list),
        ("state.n = table.concat(action.f)", .list),
        ("state.n = action.f.street", .record),
        ("state.n = action.f:upper()", .string),
        ("state.n = string.rep(action.f, 2)", .string),
        ("state.n = math.floor(action.f)", .number),
        ("local f = action.f; state.n = f * 2", .number),
    ]) func aUseShowsTheKind(_ body: String, _ expected: ActionField.Kind) throws {
        #expect(try kind(body) == expected)
    }

    @Test func aFunctionThatReceivesTheFieldShowsTheKind() throws {
        let check = "local function check(n) assert(math.type(n) == \"integer\") end"
        #expect(try kind("check(action.f)", before: check) == .integer)
    }

    @Test func literalsOfTheSameNameShowTheKind() throws {
        let state = "local state = { f = 3, other = { f = 4.5 } }"
        #expect(try kind("state.g = action.f", before: state) == .number)
        #expect(try kind("state.g = action.f", before: state + " state.f = \"a\"") == nil)
        #expect(
            try kind("assert(type(action.f) == \"string\")", before: state) == .string,
            "a test weighs more than a name")
    }

    @Test func nothingIsMadeUp() throws {
        #expect(try kind("state.n = action.f") == nil)
        #expect(try kind("state[action.f] = true") == nil)
        #expect(try kind("state.n = \"for \" .. action.f") == nil)
    }

    @Test func assignmentsUnderTheSameNameAndDefaultsAreKnown() throws {
        let found = try fields(
            "state.a = action.a; local b = action.b; state.b = b or state.b; state.x = action.c "
                + "state.d = tonumber(action.d); list[1] = { e = action.e or 2 }")
        #expect(found.map(\.name) == ["a", "b", "c", "d", "e"])
        #expect(found.map(\.isSet) == [true, true, false, true, false])
        #expect(found.map(\.usual) == [nil, nil, nil, nil, 2])
    }

    @Test func tablesHaveTheOrderOfTheText() throws {
        let source = try LuaSource(
            Array(
                """
                local Flow = { apply = { b = function() end, a = function() end } }
                function Flow.render(state, context)
                    local view = { title = 1, rows = {} }
                    view.count = 2
                    if state.more then view["more"] = { zebra = 1, ["ape"] = 2, 3 } end
                    return { view = view, back = context:sink("back") }
                end
                return Flow
                """.utf8))
        #expect(
            source.orders == [
                ["title", "rows", "count", "more"], ["zebra", "ape"], ["view", "back"],
            ])
    }
}
