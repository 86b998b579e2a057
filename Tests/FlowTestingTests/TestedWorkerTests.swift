import FlowTesting
import PlainValue
import TestFlows
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite struct TestedWorkerTests {
    @Test func aTestPlaysThePartOfAWorker() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:expect_no_worker()
                flow:send { type = "load", url = "there" }
                flow:worker("web.get"):expect_input { url = "there" }
                flow:worker("web.get", "page"):output "text"
                flow:expect_state { body = "text" }
                flow:expect_no_worker "web.get"
                flow:send "load"
                flow:worker("web.get", { key = "page", node = "flow" }):fail { code = "gone", message = "not there" }
                flow:expect_state { failure = { code = "gone", message = "not there" } }
                """))
    }

    @Test func aWorkerThatTheTestDoesNotMentionFailsIt() throws {
        let failure = try failure(of: "workflow.test(Flow):send \"load\"")
        #expect(
            failure.error.message
                == "a worker runs that the test does not mention: web.get:page in flow")
        #expect(
            failure.error.help
                == "play its part: flow:worker(\"web.get\", \"page\"), or do not mind: flow:loosely()"
        )
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:loosely()
                flow:send "load"
                flow:send "tell"
                """))
    }

    @Test func severalWorkersThatTheTestDoesNotMentionAreListed() throws {
        let failure = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "load"
                flow:send { type = "wait", seconds = 2 }
                """)
        #expect(
            failure.error.said == """
                workers run that the test does not mention: web.get:page in flow, clock.after in flow
                help: play its part: flow:worker("web.get", "page"), or do not mind: flow:loosely()
                """)
    }

    @Test func whichOfSeveralWorkersIsMeantHasToBeSaid() throws {
        let failure = try failure(
            of: """
                local flow = workflow.test({
                    render = function(_, context)
                        for _, key in ipairs { "a", "b" } do
                            context:run("web.get", {}, { key = key })
                        end
                    end,
                })
                flow:worker("web.get")
                """)
        #expect(
            failure.error.said == """
                2 workers 'web.get' run
                help: say which: flow:worker("web.get", key), or { key = …, node = … }; \
                web.get:a in flow_test, web.get:b in flow_test
                """)
    }

    @Test func anotherInputIsAnotherRunToMention() throws {
        let failure = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "load"
                flow:worker("web.get"):expect_input { url = "here" }
                flow:send { type = "load", url = "there" }
                """)
        #expect(
            failure.error.message
                == "a worker runs that the test does not mention: web.get:page in flow")
    }

    @Test func aWorkerThatDoesNotRunCannotBePlayed() throws {
        let failure = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "load"
                flow:worker("web.post")
                """)
        #expect(failure.error.message == "no worker 'web.post' runs")
        #expect(failure.error.help == "these run now: web.get:page in flow")
        let ended = try TestingTests.failureOfEndedWorker()
        #expect(ended.error.message == "the worker 'web.get:page' does not run any more")
    }

    @Test func whatAPluginSaysOfAWorkerIsChecked() throws {
        var options = FlowTestOptions()
        options.plugins = try WorkerRegistry([
            Plugin(
                "web", version: "1.0.0",
                definitions: [
                    WorkerDefinition(
                        name: "web.get", summary: "Gets a page.",
                        input: .record([ValueSchema.Field("url", .string)]), output: .string
                    ) { _, _, _ in }
                ])
        ])
        let input = try failure(
            of: "workflow.test(Flow):send { type = \"load\", url = 1 }", options: options)
        #expect(
            input.error.message == "worker 'web.get': expected a string at url, found an integer")
        let output = try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "load"
                flow:worker("web.get"):output(1)
                """, options: options)
        #expect(
            output.error.message
                == "worker 'web.get': expected a string, found an integer, as an output")
        let unknown = try failure(
            of: """
                workflow.test({ render = function(_, context) context:run("web.gt", {}) end })
                """, options: options)
        #expect(unknown.error.message == "there is no worker 'web.gt'. Did you mean 'web.get'?")
    }

    @Test func timePassesOnlyWhenTheTestSaysSo() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:send { type = "wait", seconds = 2.5 }
                flow:advance(2)
                flow:expect_state { waited = workflow.null }
                flow:advance(0.5)
                flow:expect_state { waited = true }
                flow:expect_no_worker()
                flow:send "add"
                flow:expect_state { at = 2.5 }
                """))
    }

    @Test(arguments: [
        ("2.9", "0.1", 3), ("59.9", "0.1", 60), ("4.999", "0.001", 5), ("1/3", "2/3", 1),
        ("1e6 / 3", "2e6 / 3", 1_000_000),
    ]) func partsOfATimeAddUp(_ first: String, _ second: String, _ whole: Int) throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:send { type = "wait", seconds = \(whole) }
                flow:advance(\(first))
                flow:advance(\(second))
                flow:expect_state { waited = true }
                """))
    }

    @Test(arguments: [(1, 3), (2, 3), (7, 7), (1, 1000), (100, 7)])
    func equalPartsOfATimeAddUp(_ whole: Int, _ count: Int) throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:send { type = "wait", seconds = \(whole) }
                for _ = 1, \(count - 1) do flow:advance(\(whole) / \(count)) end
                flow:expect_state { waited = workflow.null }
                flow:advance(\(whole) / \(count))
                flow:expect_state { waited = true }
                """))
    }

    @Test(arguments: [("1/3", "1", 3), ("2/3", "2", 3), ("0.7", "4.9", 7), ("1/7", "1", 7)])
    func noPeriodMissesATick(_ period: String, _ time: String, _ ticks: Int) throws {
        for parts in [1, ticks] {
            #expect(
                try passes(
                    """
                    local flow = workflow.test(Flow)
                    flow:loosely()
                    flow:send { type = "every", seconds = \(period) }
                    for _ = 1, \(parts) do flow:advance(\(time) / \(parts)) end
                    flow:expect_state { ticks = \(ticks) }
                    """))
        }
    }

    @Test func aTimerThatStartsWithinATimeAddsUp() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:advance(1 / 3)
                flow:send { type = "wait", seconds = 2 / 3 }
                flow:advance(2 / 3)
                flow:expect_state { waited = true }
                flow:send "add"
                flow:expect_state { at = 1 }
                """))
    }

    @Test func timersTellInTheOrderOfTheirTimes() throws {
        #expect(
            try passes(
                """
                local flow = workflow.test(Flow)
                flow:send { type = "every", seconds = 0.4 }
                flow:send { type = "wait", seconds = 1 }
                flow:advance(1)
                flow:expect_state { ticks = 2, waited = true }
                flow:undo()
                flow:expect_state { waited = workflow.null }
                """))
    }

    @Test func aClockThatTicksWithoutEndIsStopped() throws {
        let failure = try failure(
            of: """
                local flow = workflow.test({
                    render = function(_, context) context:run("clock.every", { seconds = 0.001 }) end,
                })
                flow:advance(11)
                """)
        #expect(
            failure.error.said == """
                the clock ticked more than 10000 times in one advance
                help: advance by less time
                """)
        #expect(failure.steps.first == "11 s pass")
    }

    @Test func aClockThatStillTicksIsMentionedByLettingTimePass() throws {
        let failure = try failure(of: "workflow.test(Flow):send { type = \"every\", seconds = 3 }")
        #expect(
            failure.error.help == "let time pass: flow:advance(3), or do not mind: flow:loosely()")
    }
}

private enum TestingTests {
    static func failureOfEndedWorker() throws -> FlowTestFailure {
        try failure(
            of: """
                local flow = workflow.test(Flow)
                flow:send "load"
                local worker = flow:worker("web.get")
                worker:output "text"
                worker:output "more"
                """)
    }
}
