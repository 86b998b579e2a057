import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

@Suite struct TablesOfNamesTests {
    private static let many = """
        local function many(n, value)
            local t = {}
            for i = 1, n do t["name" .. i] = value or function() end end
            return t
        end
        local Child = { name = "child", render = function() return { n = 1 } end }

        """

    private func error(_ flow: String) -> FlowError? {
        do throws(FlowError) {
            return try FlowHost(Self.many + flow).errors.first
        } catch { return error }
    }

    @Test func aThousandTypesOfActionAreTheMost() {
        func flow(_ count: Int) -> String {
            "return { render = Child.render, apply = many(\(count)) }"
        }
        #expect(error(flow(1_000)) == nil)
        #expect(
            error(flow(1_001))?.said == """
                'apply' of the definition of flow has more than 1,000 types of action
                help: take them all in one function: apply = function(state, action, context) … end
                """)
    }

    @Test(arguments: [
        (
            "return many(65, 1)",
            """
            the definition of flow has more than 64 fields
            help: a definition has the fields access, apply, changed, migrate, name, render, state, version
            """
        ),
        (
            "return { render = function(_, context) context:render(Child, {}, many(65)) end }",
            """
            context:render has more than 64 options
            help: its options are key, on_output
            """
        ),
        (
            "return { render = function(_, context) context:run('clock.after', {}, many(65)) end }",
            """
            context:run has more than 64 options
            help: its options are key, on_error, on_finish, on_output
            """
        ),
    ]) func moreThan64FieldsAreRefused(_ flow: String, _ said: String) {
        #expect(error(flow)?.said == said)
    }

    /// Lua takes part of the time to make the tables. A hundred reads of one would take minutes.
    @Test(arguments: [
        "return { render = Child.render, apply = t }", "return t",
        "return { render = function(_, context) for _ = 1, 100 do pcall(context.render, context, { name = 'x', render = Child.render, apply = t }) end end }",
        "return { render = function(_, context) for _ = 1, 1000 do pcall(context.render, context, t) end end }",
        "return { render = function(_, context) for _ = 1, 1000 do pcall(context.render, context, Child, {}, t) end end }",
        "return { render = function(_, context) for _ = 1, 1000 do pcall(context.run, context, 'x', {}, t) end end }",
    ]) func tablesOfManyFieldsAreNotReadWhole(_ flow: String) {
        let made = "local t = many(300000, print)\n"
        let toMake = threadTime { _ = error(made + "return Child") }
        let time = threadTime { _ = error(made + flow) }
        #expect(time < toMake * 5 + .seconds(5) * slowness)
    }

    /// Each text alone is small, but reading all at once would take much memory.
    @Test func textsThatAreNoNamesAreNotReadWhole() throws {
        let vm = try LuaVM()
        let table = try #require(
            try vm.call(
                try vm.load(
                    "local s = ('x'):rep(1000) return { a = s, b = 1, [s] = true, [2] = s }",
                    chunkName: "t.lua"), returning: .reference
            ).reference)
        let fields = try #require(try vm.fields(of: table, upTo: 4, cuttingTextsTo: 10))
        let cut = String(repeating: "x", count: 10)
        #expect(fields.map(\.key) == [.index(2), .name("a"), .name("b"), .name(cut)])
        #expect(fields.map(\.scalar) == [.string(cut), .string(cut), 1, true])
        #expect(try vm.fields(of: table, upTo: 3, cuttingTextsTo: 10) == nil)
    }
}
