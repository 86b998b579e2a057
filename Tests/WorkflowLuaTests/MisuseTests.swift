import LuaVM
import PlainValue
import Testing
import Workflow
import WorkflowLua

@Suite struct MisuseTests {
    private func host(
        render: String = "", go: String = "", modules: [String: String] = [:],
        options: LuaFlow.Options = LuaFlow.Options()
    ) throws -> FlowHost {
        try FlowHost(
            """
            local Child = { name = "child", render = function() return { n = 1 } end }
            local function render(state, context) \(render) return {} end
            return {
                name = "flow", state = { n = 0 }, render = render,
                apply = {
                    add = function() end,
                    go = function(state, action, context) \(go) end,
                },
            }
            """, modules: modules, options: options)
    }

    @Test(arguments: [
        (
            "context:render(1)",
            """
            context:render needs a definition or the name of a native workflow, not an integer
            help: write context:render(require "item", { … })
            """
        ),
        (
            "context:render(Child, 1)",
            """
            the props of a child are a table, not an integer
            help: write context:render(Child, { … })
            """
        ),
        (
            "context:render(Child, {}, 1)",
            """
            the options of a child are a table, not an integer
            help: write { key = …, on_output = … }
            """
        ),
        (
            "context:render(Child, {}, { key = 1.5 })",
            """
            the key of a child is a string or a whole number, not a number
            help: write { key = item.id }
            """
        ),
        (
            "context:render(Child, {}, { on_output = 1 })",
            """
            on_output is the type of an action or a function, not an integer
            help: write on_output = "…", with a type that apply knows
            """
        ),
        (
            "context:render(Child) context:render(Child)",
            """
            two children 'child' without a key in one render
            note: the first is at flow.lua:2
            help: give each child of one definition a key of its own: { key = item.id }
            """
        ),
        (
            "for _ = 1, 2 do context:render(Child, {}, { key = 3 }) end",
            """
            two children 'child' with the key '3' in one render
            note: the first is at flow.lua:2
            help: give each child of one definition a key of its own: { key = item.id }
            """
        ),
        (
            "context:render(Child).n = 2",
            """
            a child's rendering is read-only
            help: what changes belongs in the state, which apply and changed may change
            """
        ),
        (
            "context:sink()",
            """
            context:sink needs the type of an action, not nil
            help: write context:sink("add")
            """
        ),
        (
            "context:sink(\"add\", 1)",
            """
            the fields of a sink are a table with names, not an integer
            help: write context:sink("add", { id = item.id })
            """
        ),
        (
            "context:sink(\"add\", { 1 })",
            """
            the fields of a sink are a table with names, not a list
            help: write context:sink("add", { id = item.id })
            """
        ),
        (
            "context.sink(\"add\")",
            """
            context:sink needs the context of the call that is under way
            help: write context:sink(…) with a colon
            """
        ),
        (
            "context:run({})",
            """
            context:run needs the name of a worker, not a table
            help: write context:run("clock.after", { seconds = 1 }, { on_output = "…" })
            """
        ),
        (
            "context:run(\"web.get\", {}, 1)",
            """
            the options of a worker are a table, not an integer
            help: write { key = …, on_output = …, on_error = …, on_finish = … }
            """
        ),
        (
            "context:run(\"web.get\", {}, { key = true })",
            """
            the key of a worker is a string or a whole number, not a boolean
            help: write { key = item.id }
            """
        ),
        (
            "context:run(\"web.get\")",
            """
            there is no worker 'web.get': no plugin offers it
            help: load the plugin that offers it into the WorkerRegistry
            """
        ),
        (
            "require(nil)",
            """
            require needs the name of a module, not nil
            help: write require "item" for item.lua
            """
        ),
    ]) func misuseInRenderIsSaid(_ body: String, _ said: String) throws {
        let errors = try host(render: body).errors.map(\.said)
        #expect(errors == [said])
    }

    @Test(arguments: [
        (
            "context:random(1.5)",
            """
            context:random takes whole numbers
            help: write context:random(6), or context:random(1, 6)
            """
        ),
        (
            "context:random(6, 1)",
            """
            context:random got an empty range, 6 to 1
            help: give the smaller number first
            """
        ),
        (
            "context:random(0)",
            """
            context:random got an empty range, 1 to 0
            help: give the smaller number first
            """
        ),
    ]) func misuseInApplyIsSaid(_ body: String, _ said: String) throws {
        let host = try host(go: body)
        try host.send("go")
        #expect(host.errors.map(\.said) == [said])
    }

    @Test func aRenderThatChangesTheStateIsFound() throws {
        let host = try host(
            render: "state.n = state.n + 1", options: LuaFlow.Options(checksRenders: true))
        #expect(
            host.errors.map(\.said) == [
                """
                render changed the state; only apply and changed may do that
                help: make the change in a function of apply, or change a copy: local copy = { … }
                """
            ])
    }

    @Test func workersOfOneNameNeedKeys() throws {
        struct Silent: WorkerSource {
            func work(of name: String, input: Value) -> ScriptedWork { { _ in } }
        }
        for (options, message) in [
            ("nil", "two workers 'web.get' without a key in one render"),
            ("{ key = 3 }", "two workers 'web.get' with the key '3' in one render"),
        ] {
            let host = try host(
                render: "for _ = 1, 2 do context:run(\"web.get\", {}, \(options)) end",
                options: LuaFlow.Options(workers: Silent()))
            #expect(
                host.errors.map(\.said) == [
                    """
                    \(message)
                    note: the first is at flow.lua:2
                    help: give each worker of one name a key of its own: { key = item.id }
                    """
                ])
        }
    }

    @Test func aFlowThatRendersItselfIsStopped() throws {
        let host = try FlowHost(
            """
            local Self = { name = "self" }
            function Self.render(_, context) return context:render(Self) end
            return Self
            """)
        #expect(
            host.errors.first?.help
                == "does a flow render itself, or a function call itself, without an end?")
    }

    @Test func instructionsThatAreUsedUpNameTheOption() throws {
        var options = LuaFlow.Options()
        options.limits.instructionLimit = 100_000
        let host = try host(go: "while true do end", options: options)
        try host.send("go")
        #expect(
            host.errors.map(\.said) == [
                """
                stopped after 100000 instructions in one call
                help: raise limits.instructionLimit
                """
            ])
    }
}
