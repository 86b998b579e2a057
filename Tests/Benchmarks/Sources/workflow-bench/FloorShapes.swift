import CLuaFloor
import LuaVM
import PlainValue
import Workflow
import WorkflowLua

/// One piece of work, done by the bare C program and by the real host in one run.
struct Comparison {
    var name: String
    var floor: Measurement
    var ours: Measurement
    var goal: Double

    var ratio: Double { ours.nanoseconds / floor.nanoseconds }
}

private func flow(render: String) -> String {
    """
    return {
        name = "flow",
        state = { count = 0, name = "n" },
        apply = { inc = function(state, action) state.count = state.count + action.by end },
        render = function(state, context)
            \(render)
        end,
    }
    """
}

private let integers = flow(
    render: """
        local list = {}
        for i = 1, 10 do list[i] = state.count + i end
        return list
        """)

private func records(_ count: Int) -> String {
    flow(
        render: """
            local rows = {}
            for i = 1, \(count) do
                rows[i] = { id = i, text = "item", done = state.count % 2 == 0 }
            end
            return rows
            """)
}

/// The number of values. Reads each one.
private func readInFull(_ value: Value) -> Int {
    switch value {
    case .list(let list):
        var count = 1
        for element in list { count += readInFull(element) }
        return count
    case .record(let record):
        var count = 1
        for (key, element) in record { count += key.utf8.count > 0 ? readInFull(element) : 0 }
        return count
    case .string(let text): return text.utf8.count >= 0 ? 1 : 0
    case .int(let number): return number == .min ? 0 : 1
    default: return 1
    }
}

/// The cycle of action, apply and render, with or without reading the rendering.
private func cycle(
    _ name: String, _ source: String, reads: Bool, goal: Double, calls: Int
) throws -> Comparison {
    let floor = lua_floor_open(source)
    defer { lua_floor_close(floor) }
    let workflow = try LuaFlow(source: source, options: patient).workflow()
    let host = WorkflowHost(workflow: workflow)
    let sink = host.sink(of: LuaAction.self, at: NodePath([.init(name: "flow")]))
    let action = try LuaAction(["type": "inc", "by": 1])
    var total = 0
    return compare(name, goal: goal, calls: calls) {
        total &+= Int(lua_floor_apply(floor)) &+ Int(lua_floor_render(floor))
    } ours: {
        sink?.send(action)
        if reads { total &+= readInFull(host.rendering.value) }
    }
}

/// Applies an action to a state without a tree, and keeps the old state.
private func applying(
    _ name: String, _ source: String, goal: Double, calls: Int
) throws -> Comparison {
    let floor = lua_floor_open(source)
    defer { lua_floor_close(floor) }
    let workflow = try LuaFlow(source: source, options: patient).workflow()
    let action = try LuaAction(["type": "inc", "by": 1])
    let context = ApplyContext(workflow: workflow)
    var state = workflow.makeInitialState()
    var failures = 0
    let result = compare(name, goal: goal, calls: calls) {
        failures &+= 1 - Int(lua_floor_apply(floor))
    } ours: {
        let before = state
        do {
            _ = try action.apply(toState: &state, context: context)
        } catch {
            state = before
            failures += 1
        }
    }
    precondition(failures == 0, "the actions of a benchmark are applied")
    return result
}

/// A parent that renders keyed children in a loop, of which one changes, against the loop alone.
private func children(_ count: Int, goal: Double, calls: Int) throws -> Comparison {
    let loop = """
        local rows = {}
        for i = 1, \(count) do
            rows[i] = context:render(Row, { id = i }, { key = i })
        end
        return { rows = rows }
        """
    let floor = lua_floor_open(
        """
        local Row = {}
        return {
            state = {}, apply = {},
            render = function(state)
                local context = { render = function() end }
                \(loop)
            end,
        }
        """)
    defer { lua_floor_close(floor) }
    let flow = try LuaFlow(
        source: """
            local Row = { name = "row", state = { count = 0 } }
            Row.apply = { inc = function(state, action) state.count = state.count + action.by end }
            function Row.render(state, context)
                return { id = context.props.id, count = state.count }
            end
            return { name = "list", render = function(state, context)
                \(loop)
            end }
            """, options: patient)
    let host = WorkflowHost(workflow: flow.workflow())
    let path = NodePath([.init(name: "list"), .init(name: "row", key: "\(count / 2)")])
    let sink = host.sink(of: LuaAction.self, at: path)
    let action = try LuaAction(["type": "inc", "by": 1])
    var total = 0
    return compare("\(count) keyed children, one changes", goal: goal, calls: calls) {
        total &+= Int(lua_floor_render(floor))
    } ours: {
        sink?.send(action)
        total &+= host.rendering.value.record?.count ?? 0
    }
}

/// A flow with limits that are never reached, against the same flow without.
private func budgets(_ name: String, _ source: String, calls: Int) throws -> Comparison {
    var free = LuaFlow.Options()
    free.limits.timeLimit = nil
    free.limits.memoryLimit = .max / 4
    let hosts = try [free, patient].map {
        WorkflowHost(workflow: try LuaFlow(source: source, options: $0).workflow())
    }
    let sinks = hosts.map { $0.sink(of: LuaAction.self, at: NodePath([.init(name: "flow")])) }
    let action = try LuaAction(["type": "inc", "by": 1])
    return withExtendedLifetime(hosts) {
        compare(name, goal: 1.05, calls: calls) {
            sinks[0]?.send(action)
        } ours: {
            sinks[1]?.send(action)
        }
    }
}

/// An action that changes one entry of a large state, against the same for a small one.
private func sizes(_ name: String, small: Int, large: Int) throws -> Comparison {
    let make = { (count: Int) in
        let source = """
            return {
                name = "flow",
                state = function()
                    local rows = {}
                    for i = 1, \(count) do rows[i] = i end
                    return { count = 0, rows = rows }
                end,
                apply = { inc = function(state, action) state.rows[7] = state.rows[7] + action.by end },
                render = function() end,
            }
            """
        let workflow = try LuaFlow(source: source, options: patient).workflow()
        return (workflow.makeInitialState(), ApplyContext(workflow: workflow))
    }
    let fewContext: ApplyContext<LuaWorkflow>
    let manyContext: ApplyContext<LuaWorkflow>
    var few: ScriptedState
    var many: ScriptedState
    (few, fewContext) = try make(small)
    (many, manyContext) = try make(large)
    let action = try LuaAction(["type": "inc", "by": 1])
    return compare(name, goal: 3, calls: 4) {
        _ = try? action.apply(toState: &few, context: fewContext)
    } ours: {
        _ = try? action.apply(toState: &many, context: manyContext)
    }
}

/// The work of the real host against that of a bare C program that calls the same Lua functions.
func floorShapes() throws -> [Comparison] {
    [
        try applying("apply alone, two fields", integers, goal: 2.5, calls: 1000),
        try cycle("10 integers, read in full", integers, reads: true, goal: 1.8, calls: 500),
        try cycle("10 records of 3, read in full", records(10), reads: true, goal: 1.5, calls: 200),
        try cycle(
            "100 records of 3, read in full", records(100), reads: true, goal: 1.5, calls: 30),
        try cycle(
            "1,000 records of 3, read in full", records(1000), reads: true, goal: 1.5, calls: 4),
        try cycle(
            "1,000 records of 3, not read", records(1000), reads: false, goal: 1.15, calls: 4),
        try children(10, goal: 2, calls: 100), try children(1000, goal: 2, calls: 4),
    ]
}

/// The work of the host in two settings that should cost nearly the same.
func relativeShapes() throws -> [Comparison] {
    [
        try budgets("budgets, 10 integers, against none", integers, calls: 500),
        try budgets("budgets, 1,000 records, against none", records(1000), calls: 4),
        try sizes("apply alone, 100,000 entries against 100", small: 100, large: 100_000),
    ]
}
