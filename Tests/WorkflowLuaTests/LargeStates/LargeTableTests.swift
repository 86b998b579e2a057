import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

@Suite struct LargeTableTests {
    private static let source = """
        local held
        return {
            name = "flow",
            state = function()
                return { rows = { { id = 1 }, { id = 2 }, { id = 3 }, { id = 4 } }, flat = { 1, 2, 3, 4 } }
            end,
            apply = {
                hold = function(state) held = state.rows[2] end,
                write = function(state, action) held.id = action.id end,
                read = function(state) return { held.id, held == state.rows[2] } end,
                twice = function(state) state.rows[1] = state.rows[2] end,
                fail = function(state) state.rows[2].id = 99 error("stop") end,
                give = function(state) setmetatable(state.rows, {}) end,
                nest = function(state)
                    state.flat[2] = { 5 }
                    state.flat[2][2] = 6
                end,
                grow = function(state) state.flat[2][3] = 7 end,
                plain = function(state) state.flat[2] = 2 end,
            },
            render = function(state)
                state.rows[1] = nil
            end,
        }
        """

    private static var options: LuaFlow.Options {
        var options = LuaFlow.Options(limits: .unhurried)
        options.limits.largeCount = 3
        return options
    }

    private let workflow: LuaWorkflow
    private let context: ApplyContext<LuaWorkflow>

    init() throws {
        let flow = try LuaFlow(source: Self.source, name: "flow.lua", options: Self.options)
        workflow = flow.workflow()
        context = ApplyContext(workflow: workflow)
    }

    @discardableResult
    private func apply(_ action: Value, to state: inout ScriptedState) throws -> Value? {
        try LuaAction(action).apply(toState: &state, context: context)
    }

    @Test func aTableHeldSinceAnEarlierActionIsTheStateStill() throws {
        var state = workflow.makeInitialState()
        try apply("hold", to: &state)
        try apply(["type": "write", "id": 7], to: &state)
        #expect(state.value["rows"]?[1] == ["id": 7])
        #expect(try apply("read", to: &state) == [7, true])
        #expect(throws: FlowError.self) { try apply("fail", to: &state) }
        #expect(try apply("read", to: &state) == [7, true])
    }

    @Test func aTableOfAStateThatIsOverIsNotWritten() throws {
        var state = workflow.makeInitialState()
        try apply("hold", to: &state)
        // A state with a table in two places is made again.
        try apply("twice", to: &state)
        let error = #expect(throws: FlowError.self) {
            try apply(["type": "write", "id": 7], to: &state)
        }
        #expect(
            error?.message
                == "this table belongs to a state that is over; take it from the state anew")
        #expect(error?.location?.line == 9)
        #expect(state.value["rows"] == [["id": 2], ["id": 2], ["id": 3], ["id": 4]])
    }

    @Test func largeTablesHaveNoMetatable() throws {
        var state = workflow.makeInitialState()
        let error = #expect(throws: FlowError.self) { try apply("give", to: &state) }
        #expect(error?.message == "a table of the state cannot have a metatable")
    }

    @Test func renderCannotWriteLargeTables() throws {
        let host = try FlowHost(Self.source, options: Self.options)
        #expect(
            host.errors.map(\.message)
                == ["the state is read-only here; only apply and changed may change it"])
    }

    @Test func tablesComeIntoLargeListsOfScalarsAndGoAgain() throws {
        var state = workflow.makeInitialState()
        try apply("nest", to: &state)
        let nested = state
        try apply("grow", to: &state)
        let grown = state
        try apply("plain", to: &state)
        #expect(nested.value["flat"] == [1, [5, 6], 3, 4])
        #expect(grown.value["flat"] == [1, [5, 6, 7], 3, 4])
        #expect(state.value["flat"] == [1, 2, 3, 4])
    }
}
