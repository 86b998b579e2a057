import FlowTesting
import LuaVM
import PlainValue
import TestFlows
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct FlowTestFileTests {
    private func run(
        _ text: String, filter: String? = nil, modules: [String: String] = [:]
    ) throws(FlowError) -> [FlowTestResult] {
        try FlowTestFile(
            .text(text, name: "some_test.lua", modules: modules),
            options: FlowTestOptions(filter: filter)
        ).run()
    }

    @Test func testsRunInTheirOrderWithTheNamesOfTheirGroups() throws {
        let results = try run(
            """
            it("first", function() end)
            describe("group", function()
                it("second", function() end)
                describe("inner", function() it("third", function() end) end)
                pending("fourth")
            end)
            """)
        #expect(
            results.map(\.path) == [
                ["first"], ["group", "second"], ["group", "inner", "third"], ["group", "fourth"],
            ])
        #expect(results.map(\.location?.line) == [1, 3, 4, 5])
        guard case .pending = results[3].outcome else {
            Issue.record("a pending test was run")
            return
        }
    }

    @Test func hooksRunAroundEachTestOutermostFirstAndInnermostLast() throws {
        var lines: [String] = []
        try FlowTestFile(
            .text(
                """
                before_each(function() print("outer before") end)
                after_each(function() print("outer after") end)
                describe("group", function()
                    it("one", function() print("one") end)
                    before_each(function() print("inner before") end)
                    after_each(function() print("inner after") end)
                    after_each(function() print("innermost after") end)
                    it("two", function() error("two") end)
                end)
                """, name: "some_test.lua")
        ).run(onPrint: { lines.append($0.message) })
        let around = { name in
            ["outer before", "inner before"] + name
                + ["innermost after", "inner after", "outer after"]
        }
        #expect(lines == around(["one"]) + around([]))
    }

    @Test func theFilterIsAPartOfTheFullName() throws {
        let text = """
            describe("cart", function()
                it("adds", function() end)
                it("removes", function() end)
            end)
            it("adds too", function() end)
            """
        #expect(try run(text, filter: "cart add").map(\.name) == ["adds"])
        #expect(try run(text, filter: "adds").map(\.name) == ["adds", "adds too"])
        #expect(try run(text, filter: "Adds").isEmpty)
    }

    @Test func eachTestBeginsWithTheSameRandomNumbers() throws {
        let results = try run(
            """
            local Flow = {
                state = {}, apply = { draw = function(state, _, context)
                    state.a, state.b = context:random(1000000), math.random(1000000)
                end },
                render = function(state) return state end,
            }
            local known
            for _, name in ipairs { "one", "two" } do
                it(name, function()
                    local flow = workflow.test(Flow)
                    flow:send "draw"
                    known = known or flow.state
                    flow:expect_rendering { a = known.a, b = known.b }
                end)
            end
            """)
        #expect(results.allSatisfy { $0.failure == nil })
    }

    @Test(arguments: [
        (
            "it(\"a\"",
            """
            ')' expected near <eof>
            help: the file ends too early: is an end, a ) or a } missing?
            """, 1
        ),
        ("\nlocal x = nil + 1", "attempt to perform arithmetic on a nil value", 2),
        ("require \"gone\"", "there is no module 'gone': gone.lua is not in the flow's folder", 1),
        ("describe(\"a\", function()\n  error(\"inside\")\nend)", "inside", 2),
        (
            "it(function() end)",
            """
            it needs a name
            help: write it("adds items", function() … end)
            """, 1
        ),
        (
            "it \"a\"",
            """
            it needs a name and a function
            help: write it("adds", function() … end), or pending("adds")
            """, 1
        ),
        (
            "describe \"a\"",
            """
            describe needs a name and a function
            help: write describe("cart", function() … end)
            """, 1
        ),
        (
            "before_each(1)",
            """
            before_each needs a function
            help: write before_each(function() … end)
            """, 1
        ),
        (
            "workflow.test({ render = function() end })",
            """
            workflow.test works in tests only
            help: call it in it(…) or before_each(…), so that each test has a flow of its own
            """, 1
        ),
    ]) func whatIsWrongWithTheFileIsAnErrorWithItsPlace(text: String, said: String, line: Int) {
        let error = #expect(throws: FlowError.self) { try run(text) }
        #expect(error?.said == said)
        #expect(error?.location == FlowError.Location(file: "some_test.lua", line: line))
    }

    @Test func testsAreNotDefinedInTests() throws {
        let results = try run("it(\"a\", function() it(\"b\", function() end) end)")
        #expect(results.count == 1)
        #expect(
            results[0].failure?.error.message
                == "it was called in a test; tests are defined when the file is loaded")
    }

    @Test func aTestThatNeverEndsIsStoppedAndTheNextOneRuns() throws {
        var options = FlowTestOptions()
        // Time enough for calls that end.
        options.limits.timeLimit = .milliseconds(500)
        let results = try FlowTestFile(
            .text(
                """
                it("spins", function() while true do end end)
                it("passes", function() end)
                """, name: "some_test.lua"), options: options
        ).run()
        #expect(results[0].failure?.error.message == "stopped after 500 ms in one call")
        #expect(results[1].failure == nil)
    }

    @Test func aFlowThatNeverEndsIsStoppedWhereItSpins() throws {
        var options = FlowTestOptions()
        options.limits.timeLimit = .milliseconds(500)
        let failure = try failure(of: "workflow.test(Flow):send \"spin\"", options: options)
        #expect(failure.error.code == .timeLimit)
        #expect(failure.error.location?.file == "flow.lua")
    }

    @Test func theModuleWorkflowIsTheOneOfTests() throws {
        let results = try run(
            """
            local w = require "workflow"
            it("is whole", function() assert(w.test == workflow.test and w.null == workflow.null) end)
            """)
        #expect(results[0].failure == nil)
    }
}
