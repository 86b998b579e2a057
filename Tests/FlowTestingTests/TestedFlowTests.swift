import FlowTesting
import LuaVM
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct TestedFlowTests {
    @Test func actionsAreSentAsTextsRecordsAndSinks() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow, { step = 3 })
                flow:expect_rendering { n = 0, step = 3 }
                flow:send "add"
                flow:send { type = "add", by = 10 }
                flow:send("add", { by = 100 })
                flow:send(flow.rendering.add)
                flow:send(flow.rendering.add, { by = 1000 })
                flow:expect_rendering { n = 1113 }
                assert(flow.rendering.n == 1113 and flow.state.n == 1113)
                flow:send(flow.rendering.child.open)
                flow:expect_state({ open = true }, "flow/child")
                """))
    }

    @Test func aRenderingThatIsNotAsExpectedSaysWhereAndWhatWasDone() throws {
        let failure = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send { type = "add", by = 3 }
                flow:expect_rendering { n = 4, add = workflow.sink "add", title = "x" }
                """)
        #expect(failure.error.message == "the rendering is not as expected")
        #expect(failure.error.location == FlowError.Location(file: "flow_test.lua", line: 5))
        #expect(failure.mismatches.flatMap(\.lines) == ["- n = 4", "+ n = 3", "- title = \"x\""])
        #expect(failure.steps == ["add { by = 3 }   flow_test.lua:4"])
        #expect(failure.error.excerpt?.lines.count == 3)
    }

    @Test func theFlowsOfATestAreCounted() throws {
        var options = FlowTestOptions()
        options.limits.timeLimit = .unreached
        let failure = try failure(
            of: "for _ = 1, 1000 do workflow.test(Flow) end workflow.test(Flow)", options: options)
        #expect(
            failure.error.said == """
                a test has at most 1000 flows
                help: make one flow and go on with it, or write more tests
                """)
    }

    @Test func whatTheFlowsOfATestKeepIsBounded() throws {
        var options = FlowTestOptions()
        options.limits.timeLimit = .unreached
        let failure = try failure(
            of: """
                local Large = {
                    state = { text = ("x"):rep(4000000) },
                    apply = { go = function() end },
                    render = function() return {} end,
                }
                local flow = workflow.test(Large)
                while true do flow:send "go" end
                """, options: options)
        #expect(
            failure.error.said == """
                the flows of the test keep more than 512 MB of states and renderings
                help: do less in one test, or with smaller states
                """)
        #expect(failure.steps.count == 134)
    }

    @Test func anOutputIsExpectedOrFailsTheTest() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:expect_no_output()
                flow:send "tell"
                flow:send "add"
                flow:send "tell"
                flow:expect_output { n = 0 }
                flow:expect_output { n = 1.0 }
                flow:expect_no_output()
                """))
        let silent = try failure(of: "workflow.test(Flow):send \"tell\"")
        #expect(silent.error.message == "the flow gave an output that the test does not expect")
        #expect(silent.error.location?.line == 3)
        #expect(
            silent.error.help == "expect it: flow:expect_output(…), or do not mind: flow:loosely()")
        #expect(silent.mismatches.flatMap(\.lines) == ["+ { n = 0 }"])
        let missing = try failure(of: "workflow.test(Flow):expect_output(1)")
        #expect(missing.error.message == "the flow gave no output")
        let other = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "tell"
                flow:expect_output { n = 0, m = workflow.null, more = 1 }
                """)
        #expect(other.error.message == "the output is not as expected")
        #expect(other.mismatches.flatMap(\.lines) == ["- more = 1"])
    }

    @Test func anErrorIsExpectedOrFailsTheNextStep() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:send "spoil"
                flow:expect_error "luck"
                flow:expect_state { n = 0 }
                flow:send "sppoil"
                flow:expect_error { code = "unknown_action" }
                flow:send "break_render"
                flow:expect_error "it is broken"
                flow:expect_rendering { n = 0 }
                flow:expect_state { broken = true }
                """))
        let unexpected = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "spoil"
                flow:expect_rendering { n = 0 }
                """)
        #expect(unexpected.error.message == "no luck")
        #expect(unexpected.error.location?.file == "flow.lua")
        #expect(unexpected.error.notes == ["caused by the step at flow_test.lua:4"])
        #expect(try failure(of: "workflow.test(Flow):send \"spoil\"").error.message == "no luck")
        let other = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "spoil"
                flow:expect_error "bad luck"
                """)
        #expect(other.error.message == "the error is not as expected")
        #expect(other.mismatches.flatMap(\.lines) == ["- \"bad luck\"", "+ \"no luck\""])
        let none = try failure(of: "workflow.test(Flow):expect_error \"x\"")
        #expect(none.error.message == "nothing failed")
    }

    @Test func aSendToANodeThatHasGoneIsAnError() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                local open = flow.rendering.child.open
                flow:send "drop"
                flow:send(open)
                flow:expect_error { code = "unknown_node", message = "there is no node 'flow/child' in the tree" }
                """))
    }

    @Test func propsCanBeChanged() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow, { step = 1 })
                flow:send "add"
                flow:update { step = 2 }
                flow:expect_rendering { n = 1, step = 2 }
                flow:undo()
                flow:expect_rendering { n = 1, step = 1 }
                """))
    }

    @Test func stepsAreUndoneAndRedone() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:send "add"
                flow:send "draw"
                local drawn = flow.state.n
                flow:undo()
                flow:expect_rendering { n = 1 }
                flow:redo()
                flow:expect_rendering { n = drawn }
                flow:undo()
                -- Going on from the past gives the same numbers, and gives up the later steps.
                flow:send "draw"
                flow:expect_rendering { n = drawn }
                flow:undo()
                flow:undo()
                flow:expect_rendering { n = 0 }
                """))
        let early = try failure(of: "workflow.test(Flow):undo()")
        #expect(early.error.message == "there is nothing to undo: this is the beginning")
        let late = try failure(of: "workflow.test(Flow):redo()")
        #expect(late.error.message == "there is nothing to redo: this is the last step")
    }

    @Test func aDefinitionCanStandInForANativeWorkflow() throws {
        #expect(
            try passes(
                """
                local Panel = { render = function(_, context) return { shown = context.props.n } end }
                local flow = workflow.test(Flow, {}, { native = { panel = Panel } })
                flow:send "swap"
                flow:expect_rendering { native = { shown = 0 } }
                """))
        let alone = try failure(of: "workflow.test(Flow):send \"swap\"")
        #expect(alone.error.code == .unknownWorkflow)
    }

    @Test func aFlowThatCannotBeginFailsWhereItIsMade() throws {
        let failure = try failure(
            of: "workflow.test({ render = function() error(\"nothing to show\") end })")
        #expect(failure.error.message == "nothing to show")
        #expect(
            try passes(
                """
                expect(function()
                    workflow.test({ render = function() error("nothing to show") end })
                end):fails "to show"
                """))
    }

    @Test func twoFlowsOfOneTestDoNotMeet() throws {
        #expect(
            try passes(
                """
                local a, b = workflow.test(Flow), workflow.test("flow")
                a:send "add"
                b:send "tell"
                b:expect_output { n = 0 }
                a:expect_rendering { n = 1 }
                """))
    }

    @Test func aFlowCanBePlayedInACoroutine() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                local player = coroutine.wrap(function()
                    for by = 1, 3 do
                        flow:send { type = "add", by = by }
                        coroutine.yield(flow.rendering.n)
                    end
                end)
                assert(player() == 1 and player() == 3 and player() == 6)
                """))
    }

    @Test func whatAFlowPrintsAndDoesIsOfTheTestThatPlaysIt() throws {
        var lines: [String] = []
        let file = FlowTestFile(
            .text(
                "it(\"says\", function() workflow.test(\"flow\"):send \"say\" end)",
                name: "some_test.lua", modules: ["flow": flow]))
        let results = try file.run { lines.append("\($0.location?.file ?? ""): \($0.message)") }
        #expect(results.map(\.failure?.error.message) == [nil])
        #expect(lines == ["flow.lua: said"])
    }

    @Test func aFlowOfAnEarlierTestIsOver() throws {
        let results = try FlowTestFile(
            .text(
                """
                local flow
                it("makes it", function() flow = workflow.test("flow") end)
                it("uses it", function() flow:send "add" end)
                """, name: "some_test.lua", modules: ["flow": flow])
        ).run()
        #expect(results[0].failure == nil)
        #expect(results[1].failure?.error.message == "send was called on something of another test")
    }

    @Test func aFlowCannotMakeFlows() throws {
        let failure = try failure(
            of: """
                local Maker = {
                    apply = { make = function() workflow.test(Flow) end }, render = function() end,
                }
                workflow.test(Maker):send "make"
                """)
        #expect(failure.error.message == "a flow cannot be played by a flow, only by a test")
    }

    @Test func severalOutputsThatAreNotExpectedAreCounted() throws {
        let failure = try failure(
            of: "local flow = workflow.test(Flow) flow:send \"tell\" flow:send \"tell\"")
        #expect(
            failure.error.said == """
                the flow gave 2 outputs that the test does not expect
                help: expect it: flow:expect_output(…), or do not mind: flow:loosely()
                """)
    }

    @Test(arguments: [
        (
            "workflow.test(Flow).send \"add\"",
            """
            send was called without what it is of
            help: write flow:send(…) with a colon, in the test that made it
            """
        ), ("workflow.test(Flow):send()", "send needs an action, or a sink of the rendering"),
        (
            "workflow.test(Flow):send({ [\"$sink\"] = 1 })",
            "not a sink of a rendering: { [\"$sink\"] = 1 }"
        ),
        (
            "workflow.test(Flow):send(\"add\", 1)",
            "fields must be a table with names, not an integer"
        ),
        (
            "workflow.test(Flow):advance(-1)",
            """
            advance needs a number of seconds from 0 to 1000000000
            help: write flow:advance(5)
            """
        ),
        (
            "workflow.test(Flow):expect_rendring {}",
            "flow has no field 'expect_rendring'. Did you mean 'expect_rendering'?"
        ),
        (
            "workflow.test(1)",
            """
            workflow.test needs a definition, or the name of its module
            help: write workflow.test(require "checkout", { … })
            """
        ), ("workflow.test(Flow, { 1 })", "props must be a table with names, not a list"),
        (
            "workflow.test(Flow, {}, 1)",
            """
            the options of workflow.test must be a table with names
            help: write { native = { clock = { render = function() … end } } }
            """
        ),
        (
            "workflow.test(Flow, {}, { natve = {} })",
            """
            workflow.test has the options native, a table of definitions, and principal, a name
            help: write { native = { clock = { render = function() … end } } }
            """
        ),
        (
            "local many = {} for i = 1, 65 do many[i] = 1 end workflow.test(Flow, {}, { native = many })",
            """
            the options of workflow.test have more than 64 fields
            help: write { native = { clock = { render = function() … end } } }
            """
        ),
        (
            "workflow.test(Flow, {}, { native = { clock = 1 } })",
            """
            what stands in for a native workflow is a definition
            help: write { native = { clock = { render = function() … end } } }
            """
        ),
        (
            "workflow.test(Flow):expect_golden \"x\"",
            "expect_golden needs tests in a file, to put its own beside it"
        ),
        (
            "workflow.test(Flow):expect_golden \"a/b\"",
            """
            expect_golden needs a name of letters, digits, spaces, '-' and '_'
            help: write flow:expect_golden("empty cart")
            """
        ),
        (
            "workflow.test(Flow):expect_state({}, \"flow/none\")",
            """
            there is no scripted node 'flow/none'
            help: the tree has flow, flow/child
            """
        ),
        (
            "local flow\nlocal Bad = { apply = { go = function() flow:send \"go\" end }, render = function() end }\nflow = workflow.test(Bad) flow:send \"go\" flow:loosely()",
            """
            a flow cannot be played by a flow, only by a test
            note: caused by the step at flow_test.lua:4
            """
        ),
        (
            "local kept\nworkflow.test({ render = function(_, context) kept = context end })\nkept:sink(\"add\")",
            """
            context:sink was used outside the call it was made for
            help: use a context in the call that receives it, and do not keep it
            """
        ),
        (
            "workflow.test(Flow):expect_rendering()",
            "expect_rendering needs what is expected of the rendering"
        ),
        ("workflow.test(Flow):expect_state()", "expect_state needs what is expected of the state"),
        ("workflow.test(Flow):expect_output()", "expect_output needs the output that is expected"),
        (
            "workflow.test(Flow):expect_error()",
            "expect_error needs a part of the message, or { code = … }"
        ),
        ("workflow.test(Flow).worker(\"web.get\")", "write flow:worker(\"http.get\") with a colon"),
        (
            "workflow.test(Flow):worker()",
            """
            worker needs the name of a worker
            help: write flow:worker("http.get")
            """
        ),
        (
            "workflow.test(Flow):worker(\"web.get\", true)",
            "the options of worker must be a table with names, not a boolean"
        ),
        (
            "workflow.test(Flow):worker(\"web.get\")",
            """
            no worker 'web.get' runs
            help: none runs now
            """
        ),
        (
            "local flow = workflow.test(Flow) flow:send \"load\" flow:worker(\"web.get\"):expect_input()",
            "expect_input needs what is expected of the input"
        ),
        (
            "local flow = workflow.test(Flow) flow:send \"load\" flow:worker(\"web.get\"):fail()",
            """
            fail needs a message, or a code and a message
            help: write worker:fail { code = "timed_out", message = "…" }
            """
        ),
        (
            "local flow = workflow.test(Flow) flow:send \"load\" flow:worker(\"web.get\"):fail { code = \"x\", msg = \"y\" }",
            """
            an error of a worker has no field 'msg'; its fields are code, help, message
            help: write worker:fail { code = "timed_out", message = "…" }
            """
        ),
        (
            "local flow = workflow.test(Flow) flow:send \"load\" flow:expect_no_worker()",
            "a worker runs: web.get:page"
        ),
        (
            "local flow = workflow.test(Flow) flow:send \"tell\" flow:expect_no_output()",
            "the flow gave an output"
        ),
        (
            "workflow.sink()",
            """
            workflow.sink needs the type of an action
            help: write workflow.sink("add")
            """
        ), ("expect(1):equals(2)", "the value is not as expected"),
        (
            "expect(1):fails()",
            """
            fails needs a function
            help: write expect(function() … end):fails("a part of the message")
            """
        ),
        ("expect(function() error(\"x\") end):fails(\"y\")", "the function failed in another way"),
    ]) func misuseIsSaid(body: String, said: String) throws {
        let failure = try failure(of: body)
        #expect(failure.error.said == said)
    }
}
