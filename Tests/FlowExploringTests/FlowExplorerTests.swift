import FlowExploring
import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

@Suite struct FlowExplorerTests {
    private func explore(
        _ text: String, _ change: (inout FlowExplorationOptions) -> Void = { _ in }
    ) throws(FlowError) -> FlowExploration {
        var options = FlowExplorationOptions(limits: .unhurried)
        change(&options)
        return try FlowExplorer(.text(text, name: "some.lua"), options: options).explore()
    }

    /// A lamp with three lights that stays broken once all are on.
    private static let lamp = """
        local Lamp = { name = "lamp", state = { on = {} } }

        Lamp.apply = {
            switch = function(state, action)
                state.on[#state.on + 1] = action.light
            end,
            off = function(state) state.on = {} end,
            leave = function(state) return #state.on end,
        }

        function Lamp.render(state, context)
            local sinks = {}
            if #state.on < 3 then
                for _, light in ipairs { "a", "b" } do
                    sinks[light] = context:sink("switch", { light = light })
                end
            end
            return { on = #state.on, lights = sinks, off = #state.on == 1 and context:sink("off") or nil }
        end

        return Lamp
        """

    @Test func eachStateIsSeenOnceAndReachedByAShortestWay() throws {
        let seen = try explore(Self.lamp) { $0.guessesActions = false }
        // None, one, two and three lights of two kinds.
        #expect(seen.states.count == 1 + 2 + 4 + 8)
        #expect(seen.states[0].steps.isEmpty)
        #expect(
            seen.states.map(\.steps.count) == [0, 1, 1, 2, 2, 2, 2] + Array(repeating: 3, count: 8))
        #expect(seen.transitions.count == 2 + 4 + 8 + 2)
        #expect(seen.limit == nil)
        #expect(seen.states[3].steps.map(\.title) == ["lights.a", "lights.a"])
    }

    @Test func whereNothingLeadsOnIsADeadEnd() throws {
        let seen = try explore(Self.lamp) { $0.guessesActions = false }
        #expect(seen.findings.count == 8)
        guard case .deadEnd(let refused) = try #require(seen.findings.first).kind else {
            Issue.record("\(seen.findings)")
            return
        }
        #expect(refused.isEmpty)
        #expect(seen.findings[0].steps.map(\.title) == ["lights.a", "lights.a", "lights.a"])
        // An output of the root does not make a dead end.
        #expect(try explore(Self.lamp).findings.isEmpty)
    }

    @Test func anOutputEndsTheWayUnlessItGoesOn() throws {
        let text = """
            return {
                state = { n = 0 },
                apply = {
                    tell = function(state)
                        state.n = state.n + 1
                        return state.n
                    end,
                },
                render = function(state, context)
                    return state.n < 2 and { tell = context:sink("tell") } or {}
                end,
            }
            """
        let ended = try explore(text) { $0.guessesActions = false }
        #expect(ended.states.map(\.isEnd) == [false, true])
        #expect(ended.findings.isEmpty)
        let all = try explore(text) {
            $0.guessesActions = false
            $0.goesOnAfterOutputs = true
        }
        #expect(all.states.map(\.isEnd) == [false, false, false])
        #expect(all.findings.map(\.steps.count) == [2])
    }

    @Test func aFailureIsFoundOnceWithTheShortestWayThere() throws {
        let seen = try explore(
            """
            return {
                state = { n = 0 },
                apply = {
                    up = function(state) state.n = state.n + 1 end,
                    down = function(state) state.n = state.n - 1 end,
                },
                render = function(state, context)
                    if state.n == 2 then local t; t.x = 1 end
                    return { up = context:sink("up"), down = context:sink("down") }
                end,
            }
            """
        ) { $0.maximumDepth = 5 }
        #expect(seen.findings.count == 1)
        guard case .error(let error) = seen.findings[0].kind else {
            Issue.record("\(seen.findings)")
            return
        }
        #expect(error.message == "attempt to index a nil value (local 't')")
        #expect(error.location == FlowError.Location(file: "some.lua", line: 8))
        #expect(seen.findings[0].steps.map(\.title) == ["up", "up"])
        #expect(seen.limit == .depth)
        #expect(seen.states.count == 7)
    }

    @Test func whatAFlowRefusesIsNoFailure() throws {
        let text = """
            return {
                state = {},
                apply = {
                    set = function(state, action)
                        assert(action.n, "set needs n")
                        state.n = action.n + 1
                    end,
                },
                render = function(state, context) return { set = context:sink("set") } end,
            }
            """
        let seen = try explore(text)
        #expect(seen.refusals.map(\.title) == ["set"])
        #expect(seen.refusals.map(\.message) == ["set needs n"])
        guard case .deadEnd(let refused)? = seen.findings.first?.kind else {
            Issue.record("\(seen.findings)")
            return
        }
        #expect(refused.map(\.message) == ["set needs n"])
        let led = try explore(text) { $0.actions = [["type": "set", "n": 1]] }
        #expect(led.findings.map(\.steps.count) == [1])
        let failed = try explore(text) { $0.actions = [["type": "set", "n": ["x"]]] }
        guard case .error(let error)? = failed.findings.first?.kind else {
            Issue.record("\(failed.findings)")
            return
        }
        #expect(error.message == "attempt to perform arithmetic on a table value (field 'n')")
        #expect(failed.findings[0].steps.map(\.title) == ["set { n = { \"x\" } }"])
        let unknown = try explore(text) { $0.actions = [["type": "get", "n": 1]] }
        #expect(unknown.refusals.map(\.title) == ["set", "get { n = 1 }"])
        #expect(
            unknown.refusals.last?.message == "neither the root nor a sink that was seen takes it")
    }

    @Test func anActionWithFieldsIsTriedForTheSinksOfItsType() throws {
        let seen = try explore(
            """
            local Child = { name = "child", state = {} }
            Child.apply = { name = function(state, action) state.name = assert(action.name, "no name") end }
            function Child.render(state, context)
                return state.name and {} or { name = context:sink("name", { by = 1 }) }
            end
            return { render = function(_, context) return { child = context:render(Child, {}) } end }
            """
        ) { $0.actions = [["type": "name", "name": "Ada"]] }
        #expect(seen.states.count == 2)
        #expect(seen.states[1].steps.map(\.title) == ["child.name { name = \"Ada\" }"])
        #expect(
            seen.states[1].steps[0].inputs == [
                .action(["type": "name", "by": 1, "name": "Ada"], node: "some/child")
            ])
        #expect(seen.refusals.isEmpty)
    }

    @Test func anActionThatWasGuessedMayFail() throws {
        let seen = try explore(
            """
            return {
                state = {},
                apply = { set = function(state, action) state.n = action.output.n end },
                render = function(state, context) return {} end,
            }
            """)
        #expect(seen.refusals.map(\.message) == ["attempt to index a nil value (field 'output')"])
        #expect(seen.findings.count == 1)
    }

    @Test func anExpressionThatShouldNeverBeTrueIsFound() throws {
        let seen = try explore(Self.lamp) {
            $0.guessesActions = false
            $0.never = [
                "rendering.on == 2 and state.on[1] == \"b\"", "#state.on > props.most", "false",
            ]
            $0.props = ["most": 0]
        }
        let broken = seen.findings.compactMap { finding in
            if case .broken(let expression) = finding.kind {
                (expression, finding.steps.map(\.title))
            } else {
                nil
            }
        }
        #expect(
            broken.map(\.0) == [
                "#state.on > props.most", "rendering.on == 2 and state.on[1] == \"b\"",
            ])
        #expect(broken.map(\.1) == [["lights.a"], ["lights.b", "lights.a"]])
        let error = #expect(throws: FlowError.self) {
            try explore(Self.lamp) { $0.never = ["#state.of > 1"] }
        }
        #expect(error?.message == "attempt to get length of a nil value (field 'of')")
    }

    private static let loader = """
        return {
            state = {},
            apply = {
                load = function(state) state.url = "here" end,
                loaded = function(state, action) state.url, state.page = nil, action.output.page end,
                failed = function(state, action) state.url, state.failure = nil, action.error.code end,
                waited = function(state) state.done = true end,
            },
            render = function(state, context)
                if state.url then
                    context:run("web.get", { url = state.url }, { on_output = "loaded", on_error = "failed" })
                elseif state.page and not state.done then
                    context:run("clock.after", { seconds = 3600 }, { on_finish = "waited" })
                end
                return {
                    load = not (state.page or state.failure) and context:sink("load") or nil,
                    page = state.page,
                }
            end,
        }
        """

    @Test func workersDoWhatTheyAreSaidToDo() throws {
        let seen = try explore(Self.loader) {
            $0.guessesActions = false
            $0.workers = [
                .output(worker: "web.get", ["page": "text"]),
                .failure(worker: "web.get", WorkerError("gone", "not there")),
            ]
        }
        #expect(
            seen.states.map { $0.steps.map(\.title) } == [
                [], ["load"], ["load", "web.get gives { page = \"text\" }"],
                ["load", "web.get fails: not there"],
                [
                    "load", "web.get gives { page = \"text\" }",
                    "clock.after gives { seconds = 3600 }",
                ],
            ])
        #expect(seen.states[4].state["done"] == true)
        // The end of the worker had no effect, because the flow no longer declared it.
        #expect(seen.states[2].steps[1].inputs.count == 1)
        #expect(seen.states[4].steps[2].inputs.count == 2)
        #expect(seen.findings.map(\.steps.count) == [2, 3])
    }

    @Test func aWorkerOfWhichNothingIsKnownIsNoDeadEnd() throws {
        let seen = try explore(Self.loader) { $0.guessesActions = false }
        #expect(seen.states.count == 2)
        #expect(seen.idleWorkers == ["web.get"])
        #expect(seen.findings.isEmpty)
    }

    @Test func theNumberOfStatesIsBounded() throws {
        let seen = try explore(
            """
            return {
                state = { n = 0 }, apply = { up = function(state) state.n = state.n + 1 end },
                render = function(state, context) return { up = context:sink("up") } end,
            }
            """
        ) { $0.maximumStates = 10 }
        #expect(seen.states.count == 10)
        #expect(seen.limit == .states)
        #expect(seen.findings.isEmpty)
    }

    @Test func memoryIsBounded() throws {
        let text = """
            return {
                state = { n = 0 },
                apply = {
                    up = function(state)
                        state.n = state.n + 1
                        state.text = ("%08d"):format(state.n):rep(12500)
                    end,
                },
                render = function(state, context)
                    return { text = state.text, up = context:sink("up") }
                end,
            }
            """
        let seen = try explore(text) { $0.maximumMemory = 1 << 20 }
        // 100,000 bytes of state and of rendering for each but the first.
        #expect(seen.states.count == 7)
        #expect(seen.limit == .memory)
        #expect(seen.findings.isEmpty)
    }

    @Test func memoryIsBoundedWithinAState() throws {
        let text = """
            local Flow = { name = "flow", state = { n = 0 }, apply = { go = function(_, a) error(a.text) end } }
            function Flow.render(state, context)
                local sinks = {}
                for i = 1, 100 do
                    sinks[i] = context:sink("go", { text = ("%08d"):format(i):rep(12500) })
                end
                return sinks
            end
            return Flow
            """
        let seen = try explore(text) {
            $0.maximumMemory = 11 << 20
            $0.guessesActions = false
        }
        #expect(seen.states.count == 1)
        #expect(seen.limit == .memory)
        // The rendering takes 10 MB and a refused action 100,000 bytes: there is room for 15.
        #expect(seen.refusals.count == 15)
    }

    @Test func timeIsBounded() throws {
        let seen = try explore(Self.lamp) { $0.maximumTime = .zero }
        #expect(seen.states.count == 1)
        #expect(seen.limit == .time)
    }

    @Test func childrenArePartOfAState() throws {
        let seen = try explore(
            """
            local Child = { name = "child", state = { open = false } }
            Child.apply = { toggle = function(state) state.open = not state.open end }
            function Child.render(state, context) return { toggle = context:sink("toggle") } end
            return {
                render = function(_, context)
                    return {
                        rows = {
                            context:render(Child, {}, { key = 1 }),
                            context:render(Child, {}, { key = 2 }),
                        },
                    }
                end,
            }
            """)
        #expect(seen.states.count == 4)
        #expect(seen.transitions.count == 8)
        #expect(seen.states[3].steps.map(\.title) == ["rows[1].toggle", "rows[2].toggle"])
    }

    @Test func randomNumbersAreTheSameInEachState() throws {
        let text = """
            return {
                state = {}, apply = { draw = function(state, _, context) state.n = context:random(1000) end },
                render = function(state, context) return { draw = context:sink("draw") } end,
            }
            """
        func numbers() throws -> [Value] {
            try explore(text) { $0.maximumStates = 5 }.states.map(\.state)
        }
        #expect(try numbers() == numbers())
    }

    @Test func aFlowThatCannotBeginCannotBeExplored() {
        let error = #expect(throws: FlowError.self) {
            try explore("return { render = function() error(\"no\") end }")
        }
        #expect(error?.message == "no")
    }
}
