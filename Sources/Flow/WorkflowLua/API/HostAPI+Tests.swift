extension HostAPI {
    package static let testGlobals = HostGroup(
        kind: .globals, name: "", summary: "What files of tests, *_test.lua, may use.",
        members: [
            .function(
                "describe", "name: string, body: fun()", "Groups tests under a name.",
                example: """
                    describe("counter", function()
                        it("begins at nothing", function()
                            workflow.test(require "counter"):expect_rendering { count = 0 }
                        end)
                    end)
                    """),
            .function("it", "name: string, body: fun()", "A test."),
            .function(
                "pending", "name: string, body?: fun()", "A test that is not to be run yet.",
                example: "pending(\"counts backwards\")"),
            .function(
                "before_each", "body: fun()", "Runs before each test of the group.",
                example: """
                    local flow
                    before_each(function() flow = workflow.test(require "counter") end)
                    """),
            .function("after_each", "body: fun()", "Runs after each test of the group."),
            .function(
                "expect", "value: any", "workflow.Expectation", "Looks at a value, or a function.",
                example: "expect({ 1, 2 }):equals { 1, 2 }"),
        ])

    package static let testedFlow = HostGroup(
        kind: .object(class: "workflow.TestedFlow"), name: "flow",
        summary: "A flow that is played by a test.",
        members: [
            .value("rendering", "any", "The rendering as it is now."),
            .value("state", "any", "The state of the root as it is now."),
            .function(
                "send", "action: string|workflow.Action|workflow.Sink, fields?: table",
                "Sends an action, or a sink of the rendering.",
                example: """
                    local flow = workflow.test(require "counter")
                    flow:send { type = "increment" }
                    flow:send(flow.rendering.increment)
                    """),
            .function(
                "expect_rendering", "part: any", "Expects the rendering to have these fields."),
            .function(
                "expect_state", "part: any, node?: string",
                "Expects the state of the root, or of a node, to have these fields."),
            .function("expect_output", "output: any", "Expects an output of the root."),
            .function("expect_no_output", "", "Expects that there was no output."),
            .function(
                "expect_error", "error: string|table",
                "Expects that what was sent last has failed, by its message or its code."),
            .function(
                "worker", "name: string, key?: string|integer|table", "workflow.TestedWorker",
                "A worker that the flow has declared.",
                example: """
                    local flow = workflow.test(require "alarm")
                    flow:worker("clock.after"):expect_input { seconds = 5 }
                    flow:worker("clock.after"):output { seconds = 5 }
                    """),
            .function("advance", "seconds: number", "Lets time pass, which is virtual in tests."),
            .function("expect_no_worker", "name?: string", "Expects that no such worker runs."),
            .function(
                "expect_golden", "name: string",
                "Expects the rendering to be the one that is kept under this name."),
            .function("undo", "", "Goes back one step."),
            .function("redo", "", "Goes forward one step."),
            .function("update", "props: table", "Gives the root other props."),
            .function(
                "by", "principal?: string",
                "Names the sender of what is sent from now on; without a name it is nobody's.",
                example: """
                    local flow = workflow.test(require "counter", {}, { principal = "ann" })
                    flow:by "bob"
                    flow:send "increment"
                    """),
            .function(
                "allows", "principal: workflow.Principal, what: table", "boolean",
                "Asks the flow's access whether somebody may do something.",
                example: """
                    local flow = workflow.test(require "counter")
                    local what = { ["do"] = "send", action = { type = "increment" } }
                    assert(flow:allows({ name = "ann" }, what))
                    """),
            .function(
                "loosely", "", "Lets outputs and workers be that the test does not mention."),
        ])

    package static let principal = HostGroup(
        kind: .record(class: "workflow.Principal"), name: "",
        summary: "Who asks for something, as access gets it from every host.",
        members: [
            .value("name", "string", "The name, which is context.principal in apply and state."),
            .value("claims", "table", "What else the host knows, such as a role."),
            .value("scopes", "string[]", "The rights that the host grants."),
        ])

    package static let testedWorker = HostGroup(
        kind: .object(class: "workflow.TestedWorker"), name: "worker",
        summary: "A worker of a flow that is played by a test, which plays its part.",
        members: [
            .function("expect_input", "part: any", "Expects the input to have these fields."),
            .function("output", "output: any", "Gives an output."),
            .function("finish", "", "Comes to its end."),
            .function(
                "fail", "error: workflow.WorkerError", "Fails.",
                example: """
                    local flow = workflow.test(require "alarm")
                    flow:worker("clock.after"):fail { code = "failed", message = "it broke" }
                    """),
        ])

    package static let expectation = HostGroup(
        kind: .object(class: "workflow.Expectation"), name: "expectation",
        summary: "A value that a test looks at.",
        members: [
            .function("equals", "expected: any", "Expects the value to be equal to this one."),
            .function("matches", "part: any", "Expects the value to have these fields."),
            .function(
                "fails", "text?: string", "Expects the function to fail, with this in the message.",
                example: "expect(function() error(\"empty\") end):fails \"empty\""),
        ])
}
