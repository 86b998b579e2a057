import FlowExploring
import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

@Suite struct ExplorationPropertyTests {
    private func explore(
        _ text: String, _ change: (inout FlowExplorationOptions) -> Void = { _ in }
    ) throws(FlowError) -> FlowExploration {
        var options = FlowExplorationOptions(guessesActions: false, limits: .unhurried)
        change(&options)
        return try FlowExplorer(.text(text, name: "some.lua"), options: options).explore()
    }

    private static let counter = """
        return {
            state = { n = 0 },
            apply = {
                up = function(state) state.n = state.n + 1 end,
                down = function(state) state.n = state.n - 1 end,
            },
            render = function(state, context)
                return { n = state.n, up = context:sink("up"), down = context:sink("down") }
            end,
        }
        """

    @Test func statesBeyondTheBoundsAreLookedAtAndNotFollowed() throws {
        let seen = try explore(Self.counter) {
            $0.within = ["state.n < 3", "state.n > -3"]
            $0.never = ["state.n == 3", "state.n == 4"]
        }
        #expect(seen.states.count == 7)
        #expect(seen.states.filter(\.isBeyond).map { $0.state["n"] } == [-3, 3])
        #expect(seen.limit == nil)
        #expect(seen.findings.map { $0.steps.map(\.title) } == [["up", "up", "up"]])
    }

    private static let form = """
        return {
            state = {},
            apply = { save = function(state) state.saved = true end },
            render = function(state, context)
                if state.saved then return { final = FINAL } end
                return { save = context:sink("save") }
            end,
        }
        """

    @Test func declaredEndIsNoDeadEnd() throws {
        let open = Self.form.replacing("FINAL", with: "false")
        #expect(try explore(open).findings.count == 1)
        #expect(try explore(open) { $0.ends = ["state.saved"] }.findings.isEmpty)
        let closed = try explore(Self.form.replacing("FINAL", with: "true"))
        #expect(closed.findings.isEmpty)
        #expect(closed.states.map(\.isFinal) == [false, true])
    }

    private func missed(
        _ seen: FlowExploration
    ) -> [(expression: String, steps: [String], again: Int?)] {
        seen.findings.compactMap { finding in
            guard case .missed(let expression, let again) = finding.kind else { return nil }
            return (expression, finding.steps.map(\.title), again)
        }
    }

    @Test func wayThatEndsOrGoesRoundWithoutItMissesIt() throws {
        let text = """
            return {
                state = { at = "start" },
                apply = {
                    go = function(state, action) state.at = action.to end,
                },
                render = function(state, context)
                    local ways = {
                        start = { "left", "right", "round" }, left = { "goal" }, right = { "goal" },
                        round = { "again" }, again = { "round", "goal" }, goal = {},
                    }
                    local to = {}
                    for _, place in ipairs(ways[state.at]) do
                        to[place] = context:sink("go", { to = place })
                    end
                    return { at = state.at, to = to, final = state.at == "goal" }
                end,
            }
            """
        let seen = try explore(text) {
            $0.eventually = ["state.at == 'goal'", "state.at ~= 'start'", "state.at == 'left'"]
        }
        let missed = missed(seen)
        try #require(missed.count == 2)
        // A way to an end is told first, and the others by the shortest round.
        #expect(missed[0].expression == "state.at == 'left'")
        #expect(missed[0].steps == ["to.right", "to.goal"])
        #expect(missed[0].again == nil)
        #expect(missed[1].expression == "state.at == 'goal'")
        #expect(missed[1].steps == ["to.round", "to.again", "to.round"])
        #expect(missed[1].again == 1)
    }

    private static let waiter = """
        return {
            state = { n = 0, done = false },
            apply = {
                turn = function(state) state.n = 1 - state.n end,
                waited = function(state) state.done = true end,
            },
            render = function(state, context)
                if state.done then return { final = true } end
                if KEPT then context:run("clock.after", { seconds = 9 }, { on_output = "waited" }) end
                return { turn = context:sink("turn") }
            end,
        }
        """

    @Test func timerThatRunsAllTheTimeIsDueInTheEnd() throws {
        let kept = try explore(Self.waiter.replacing("KEPT", with: "true")) {
            $0.eventually = ["state.done"]
        }
        #expect(kept.findings.isEmpty)
        // Whoever turns it off in time keeps it from being due for ever.
        let stopped = try explore(Self.waiter.replacing("KEPT", with: "state.n == 0")) {
            $0.eventually = ["state.done"]
        }
        #expect(missed(stopped).map(\.steps) == [["turn", "turn"]])
        #expect(missed(stopped).map(\.again) == [0])
    }

    @Test func wayToWhatShouldBeReachableIsTheShortest() throws {
        let seen = try explore(Self.counter) {
            $0.reachable = ["state.n == 2", "state.n == 9"]
            $0.maximumDepth = 4
        }
        #expect(seen.reached.map(\.expression) == ["state.n == 2"])
        #expect(seen.reached.map { $0.steps.map(\.title) } == [["up", "up"]])
        guard case .unreachable(let expression)? = seen.findings.first?.kind else {
            Issue.record("\(seen.findings)")
            return
        }
        #expect(expression == "state.n == 9")
    }

    @Test func randomWalksGoFurtherAndAreShortened() throws {
        func find(_ seed: UInt64) throws -> [[String]] {
            try explore(Self.counter) {
                $0.never = ["state.n == 6"]
                $0.maximumStates = 5
                $0.walks = 200
                $0.limits.seed = seed
            }.findings.map { $0.steps.map(\.title) }
        }
        for seed: UInt64 in 0..<3 { #expect(try find(seed) == [Array(repeating: "up", count: 6)]) }
        let whole = try explore(Self.counter) {
            $0.within = ["state.n^2 < 9"]
            $0.walks = 10
        }
        #expect(whole.walks == 0)
    }

    @Test func failuresOfRandomWalksAreShortened() throws {
        let text = Self.counter.replacing(
            "return { n = state.n,", with: "assert(state.n < 5, 'full') return { n = state.n,")
        let seen = try explore(text) {
            $0.maximumDepth = 1
            $0.walks = 50
        }
        #expect(seen.findings.map { $0.steps.map(\.title) } == [Array(repeating: "up", count: 5)])
    }

    private static let timers = """
        return {
            state = { log = "", toasts = 0 },
            apply = {
                short = function(state, _, context) state.log = state.log .. "s" .. context.now end,
                long = function(state, _, context) state.log = state.log .. "l" .. context.now end,
                toast = function(state) state.toasts = 1 end,
                toasted = function(state) state.log = state.log .. "t" end,
            },
            render = function(state, context)
                if not state.log:find("s") then
                    context:run("clock.after", { seconds = 2 }, { key = "s", on_output = "short" })
                end
                if not state.log:find("l") then
                    context:run("clock.after", { seconds = 60 }, { key = "l", on_output = "long" })
                end
                if state.toasts > 0 and not state.log:find("t") then
                    context:run("clock.after", { seconds = 5 }, { key = "t", on_output = "toasted" })
                end
                return { toast = state.toasts == 0 and context:sink("toast") or nil, final = true }
            end,
        }
        """

    @Test func timersAreDueInAnOrderThatCanBe() throws {
        let seen = try explore(Self.timers)
        let logs = Set(seen.states.compactMap { $0.state["log"]?.string })
        // The short one is due first, after 2 s; the toast can begin at any time.
        #expect(logs.filter { $0.hasPrefix("l") } == [])
        #expect(logs.contains("s2.0l60.0"))
        #expect(logs.contains { $0.hasPrefix("s2.0l60.0t") })
        #expect(logs.contains { $0.hasPrefix("s2.0t") })
        #expect(!logs.contains { $0.hasPrefix("ts") })
    }

    private static let loader = """
        return {
            state = { tries = 0 },
            apply = {
                loaded = function(state, action) state.page = action.output.page end,
                failed = function(state) state.tries = state.tries + 1 end,
            },
            render = function(state, context)
                if state.page or state.tries > 3 then return { final = state.page ~= nil } end
                context:run("web.get", { try = state.tries }, { on_output = "loaded", on_error = "failed" })
                return {}
            end,
        }
        """

    @Test func eachWorkerFailsOnceOnAWay() throws {
        let seen = try explore(Self.loader) {
            $0.workers = [.output(worker: "web.get", ["page": "text"])]
            $0.failsWorkers = true
        }
        #expect(
            seen.states.map { $0.steps.map(\.name) } == [
                [], ["web.get gives"], ["web.get fails"], ["web.get fails", "web.get gives"],
            ])
        #expect(seen.findings.isEmpty)
    }

    @Test func fieldsAreGuessedByTheCodeThatReadsThem() throws {
        let text = """
            return {
                state = { items = { { id = 7, count = 1 } } },
                apply = {
                    change = function(state, action)
                        for _, item in ipairs(state.items) do
                            if item.id == action.id then item.count = action.count * 2 end
                        end
                    end,
                },
                render = function(state, context) return { change = context:sink("change") } end,
            }
            """
        let seen = try explore(text) {
            $0.guessesValues = true
            $0.within = ["math.abs(state.items[1].count) < 3"]
        }
        let counts = Set(seen.states.compactMap { $0.state["items"]?[0]?["count"] })
        // Twice that of the state, and twice 1, 0 and -1.
        #expect(counts == [1, 2, 0, -2, 4, -4])
        #expect(seen.findings.isEmpty)
        #expect(seen.states[1].steps[0].fields["id"] == 7)
    }

    @Test func outputsOfChildrenGiveFieldsToo() throws {
        let seen = try explore(
            """
            local Child = { name = "child" }
            Child.apply = { pick = function(_, action) return { color = action.color } end }
            function Child.render(_, context) return context:sink("pick", { color = "red" }) end
            return {
                state = {},
                apply = { picked = function(state, action) state.color = action.output.color end },
                render = function(state, context)
                    return { child = context:render(Child, {}, { on_output = "picked" }), final = true }
                end,
            }
            """
        ) { $0.guessesActions = true }
        #expect(seen.sentFields["picked"] == ["type", "output"])
        #expect(seen.refusals.isEmpty)
    }

    @Test func placeOfASinkThatIsNeverThereIsNamed() throws {
        let seen = try explore(Self.counter) {
            $0.sinks = [
                (ValuePath([.key("down")]), [:]), (ValuePath([.key("rows"), .index(1)]), ["n": 1]),
            ]
            $0.maximumDepth = 1
        }
        #expect(seen.unmatchedSinks.map(\.description) == ["rows[1]"])
    }
}
