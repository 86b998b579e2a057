import PlainValue
import Testing
import Workflow
import WorkflowLua

/// Mistakes that Lua itself does not report.
@Suite struct SilenceTests {
    /// The notes for a flow whose action `go` is sent twice.
    private static func notes(_ source: String, sending path: String = "flow") throws -> [String] {
        var notes: [String] = []
        var options = LuaFlow.Options()
        options.onPrint = { line in
            if line.isNote { notes.append("\(line.location?.line ?? 0): \(line.message)") }
        }
        let host = try FlowHost(source, options: options)
        for _ in 1...2 { try host.send("go", to: path) }
        #expect(host.errors.isEmpty)
        return notes
    }

    @Test(arguments: [
        (
            "render = function() local shown = {} end",
            [
                "2: note: render of flow returns nothing; end it with return { … }, or with workflow.null if there is nothing to show"
            ]
        ), ("render = function() return require('workflow').null end", []),
        (
            "render = function(_, context) context:render({ render = function() return 1 end }) end",
            []
        ),
        ("render = function() return 0 end", []),
    ]) func aRenderWithoutAResultIsNoted(render: String, notes: [String]) throws {
        let source = "return { apply = { go = function() end },\n\(render) }"
        #expect(try Self.notes(source) == notes)
    }

    @Test(arguments: [
        (
            "{}",
            ["1: note: nobody takes what child gives, { n = 1 }; render it with { on_output = … }"]
        ),
        ("{ on_output = function() end }", []),
    ]) func anOutputThatNobodyTakesIsNoted(options: String, notes: [String]) throws {
        let source = """
            local Child = { name = 'child', apply = { go = function() return { n = 1 } end },
                render = function() return 1 end }
            return { render = function(_, context) return context:render(Child, {}, \(options)) end }
            """
        #expect(try Self.notes(source, sending: "flow/child") == notes)
    }

    @Test(arguments: [
        ("state = { n = state.n + 1 }", true), ("if state.n > 0 then return end state = {}", true),
        ("local function f() end f() state = nil", true),
        ("local state = { n = 2 }", false), ("local t = { state = 1 } t.state = 2", false),
        ("state = state.inner state.n = state.n", false), ("if state == 1 then end", false),
        ("return { n = 2 }", false), ("state.n = state.n + 1 state = nil", false),
        ("local text = [[ state = 1 ]] -- state = 2", false),
    ]) func aNewValueOfTheParameterIsNoted(body: String, isNoted: Bool) throws {
        let source = """
            return {
                state = { n = 0, inner = { n = 0 } }, render = function() return 1 end,
                apply = {
                    go = function(state)
                        \(body)
                    end,
                },
            }
            """
        let note =
            "5: note: a new value of 'state' changes nothing; set its fields, as in state.n = …"
        #expect(try Self.notes(source) == (isNoted ? [note] : []))
    }

    @Test(arguments: [
        ("state", true), ("state, action", true), ("", true),
        ("state, action, context", false), ("...", false),
    ]) func aContextOfAnEarlierCallIsNoted(parameters: String, isNoted: Bool) throws {
        let source = """
            local kept
            return {
                state = { n = 0 },
                render = function(state, context) kept = context return state.n end,
                apply = { other = function() end, go = function(\(parameters))
                    kept:random(6)
                end },
            }
            """
        let note =
            "5: note: context:random is used with a context that was kept from an earlier call; "
            + "receive it as a parameter: function(state, action, context)"
        // Two functions in one line cannot be distinguished.
        #expect(try Self.notes(source) == [])
        let lines = source.replacing("function() end, go", with: "function() end,\ngo")
        #expect(try Self.notes(lines) == (isNoted ? [note.replacing("5:", with: "6:")] : []))
    }

    @Test func aContextThatRenderKeepsIsNoted() throws {
        let source = """
            local kept
            return {
                state = { n = 0 },
                apply = { go = function(state, _, context) kept = context state.n = state.n + 1 end },
                render = function(state)
                    return { tap = kept and kept:sink("go") }
                end,
            }
            """
        #expect(
            try Self.notes(source) == [
                "5: note: context:sink is used with a context that was kept from an earlier call; "
                    + "receive it as a parameter: function(state, context)"
            ])
    }

    @Test(arguments: [
        ("state = function(props) props.n = 1 return {} end", "props is read-only"),
        (
            "state = function(props) table.insert(props.list, 1) return {} end",
            "props.list is read-only"
        ),
    ]) func propsCannotBeChangedByState(state: String, said: String) throws {
        let host = try FlowHost(
            "return { \(state), render = function() return 1 end }", props: ["list": [1]])
        #expect(host.errors.map(\.message) == [said])
        #expect(host.errors.first?.location?.line == 1)
    }

    @Test func propsCannotBeChangedByChanged() throws {
        let host = try FlowHost(
            """
            return { changed = function(old, new, state)
                new.n = 2
            end, render = function() return 1 end }
            """, props: ["n": 1])
        host.host.update(workflow: host.flow.workflow(props: ["n": 2]))
        #expect(host.errors.map(\.message) == ["new_props is read-only"])
        #expect(host.errors.first?.location?.line == 2)
    }

    @Test(arguments: [
        "state = function(props) return props end",
        "state = function(props) return { list = props.list } end",
        "state = { list = {} }, changed = function(_, props, state) state.list = props.list end",
    ]) func whatAStateTakesOfPropsIsItsOwn(state: String) throws {
        let host = try FlowHost(
            """
            return { \(state),
                apply = {
                    add = function(state, action) state.list[#state.list + 1] = action.n end,
                    take = function(state, _, context) state.list = context.props.list end,
                },
                render = function(state) return { list = state.list } end }
            """, props: ["list": [0]])
        host.host.update(workflow: host.flow.workflow(props: ["list": [1, 2]]))
        try host.send("take")
        try host.send(["type": "add", "n": 3])
        try host.send("take")
        try host.send("take")
        try host.send(["type": "add", "n": 4])
        #expect(host.errors.isEmpty)
        #expect(host.rendering == ["list": [1, 2, 4]])
        #expect(host.host.rendering.value["list"]?[1] == 2)
    }
}
