import CLuaFloor
import PlainValue
import Workflow
import WorkflowLua

/// One piece of work done by the bare C program and by the real host, in the same run.
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

/// How many values there are, each read as what it is.
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

/// The cycle of action, apply, render, with the rendering read or not.
private func cycle(
    _ name: String, _ source: String, reads: Bool, goal: Double, calls: Int
) throws -> Comparison {
    let floor = lua_floor_open(source)
    defer { lua_floor_close(floor) }
    var total = 0
    let floorTime = measure(name, calls: calls) {
        total &+= Int(lua_floor_apply(floor)) &+ Int(lua_floor_render(floor))
    }
    let host = WorkflowHost(workflow: try LuaFlow(source: source).workflow())
    let sink = host.sink(of: LuaAction.self, at: NodePath([.init(name: "flow")]))
    let action = try LuaAction(["type": "inc", "by": 1])
    let ours = measure(name, calls: calls) {
        sink?.send(action)
        if reads { total &+= readInFull(host.rendering.value) }
    }
    return Comparison(
        name: total == 0 ? name + " (nothing read)" : name, floor: floorTime, ours: ours, goal: goal
    )
}

/// The work of the real host against that of a bare C program that calls the same Lua functions.
func floorShapes() throws -> [Comparison] {
    [
        try cycle(
            "10 integers, read in full", integers, reads: true, goal: 1.8, calls: 5000),
        try cycle(
            "10 records of 3, read in full", records(10), reads: true, goal: 1.5, calls: 3000),
        try cycle(
            "100 records of 3, read in full", records(100), reads: true, goal: 1.5, calls: 500),
        try cycle(
            "1,000 records of 3, read in full", records(1000), reads: true, goal: 1.5, calls: 50),
        try cycle(
            "1,000 records of 3, not read", records(1000), reads: false, goal: 1.15, calls: 50),
    ]
}
