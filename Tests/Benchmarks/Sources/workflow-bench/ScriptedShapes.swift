import LuaVM
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// The limits of flows, but for that of time: they are also played by valgrind, on busy machines.
var patient: LuaFlow.Options {
    var options = LuaFlow.Options()
    options.limits.timeLimit = .seconds(1000)
    return options
}

private let counterFlow = """
    return {
        name = "counter",
        state = { count = 0, name = "n" },
        apply = { inc = function(state, action) state.count = state.count + action.by end },
        render = function(state, context)
            return { count = state.count, add = context:sink("inc") }
        end,
    }
    """

private let listFlow = """
    local Row = { name = "row", state = { count = 0 } }
    Row.apply = { inc = function(state, action) state.count = state.count + action.by end }
    function Row.render(state, context)
        return { id = context.props.id, count = state.count }
    end
    return {
        name = "list",
        render = function(state, context)
            local rows = {}
            for i = 1, context.props.rows do
                rows[i] = context:render(Row, { id = i }, { key = i })
            end
            return { rows = rows }
        end,
    }
    """

/// The shapes of the native bench, with nodes in Lua. The renderings are not read.
func scriptedShapes() throws -> [Measurement] {
    var results: [Measurement] = []
    let counter = try LuaFlow(source: counterFlow, options: patient)
    let single = WorkflowHost(workflow: counter.workflow())
    let action = try LuaAction(["type": "inc", "by": 1])
    let sink = single.sink(of: LuaAction.self, at: NodePath([.init(name: "counter")]))
    results.append(measure("single Lua node, two fields, a sink") { sink?.send(action) })
    let list = try LuaFlow(source: listFlow, options: patient)
    for count in [10, 100, 1000] {
        let host = WorkflowHost(workflow: list.workflow(props: ["rows": .int(count)]))
        let path = NodePath([.init(name: "list"), .init(name: "row", key: "\(count / 2)")])
        let sink = host.sink(of: LuaAction.self, at: path)
        results.append(
            measure("\(count) keyed Lua children, one changes", calls: 5000 / count + 10) {
                sink?.send(action)
            })
    }

    // A session without its actor and its timeline, which is laid out by times.
    let player = FlowOptions(limits: patient.limits, keepsTimeline: false).makeFlow()
    try player.open(.text(counterFlow), restoring: nil)
    let input = FlowInput.Kind.action(
        ["type": "inc", "by": 1], node: NodePath([.init(name: "counter")]))
    results.append(measure("an action of a session") { try? player.play(input, by: nil) })
    return results
}
