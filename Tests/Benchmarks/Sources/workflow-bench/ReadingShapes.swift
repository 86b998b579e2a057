import LuaVM
import PlainValue
import Workflow
import WorkflowLua

/// Flows whose values are read in both ways, in the same run.
func readingShapes() throws -> [Comparison] {
    try [(10, 0.9), (100, 0.6), (1_000, 0.6)].map { count, goal in
        try reading("\(count) records of 3, read both ways", count, goal: goal)
    }
}

/// Values from JSON and to JSON.
func jsonShapes() -> [Measurement] {
    let record = #"{"done":true,"id":7,"share":0.25,"text":"item"}"#
    let text = "[\(Array(repeating: record, count: 100).joined(separator: ","))]"
    return [
        measure("100 records of 4 from JSON and to it", calls: 20) {
            precondition((try? Value(json: text))?.json == text)
        }
    ]
}

private func reading(_ name: String, _ count: Int, goal: Double) throws -> Comparison {
    let source = """
        return {
            name = "flow",
            state = { count = 0 },
            apply = { inc = function(state, action) state.count = state.count + action.by end },
            render = function(state)
                local rows = {}
                for i = 1, \(count) do
                    rows[i] = { id = i, text = "item", done = state.count % 2 == 0 }
                end
                return rows
            end,
        }
        """
    let hosts = try [LuaVM.ValueReading.throughLua, .direct].map { reading in
        var options = LuaFlow.Options()
        options.limits.valueReading = reading
        return WorkflowHost(workflow: try LuaFlow(source: source, options: options).workflow())
    }
    let sinks = hosts.map { $0.sink(of: LuaAction.self, at: NodePath([.init(name: "flow")])) }
    let action = try LuaAction(["type": "inc", "by": 1])
    return withExtendedLifetime(hosts) {
        compare(name, goal: goal, calls: max(10, 20_000 / count)) {
            sinks[0]?.send(action)
        } ours: {
            sinks[1]?.send(action)
        }
    }
}
