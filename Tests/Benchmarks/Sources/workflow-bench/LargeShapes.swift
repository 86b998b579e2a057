import LuaVM
import PlainValue
import Workflow
import WorkflowLua

/// An action and a render that read all of a large state, stored as a large or as a small one.
/// This is the worst case for large states: each table in them is read through a stand-in, while
/// those of small states are Lua's own. In return the cost of an action depends on what it touches,
/// and the cost of a step on what it changes.
private func reading(
    _ name: String, entries: Int, element: String = "i", _ body: String, goal: Double
) throws -> Comparison {
    let source = """
        local function read(rows)
            local sum = 0
            \(body)
            return sum
        end
        return {
            name = "flow",
            state = function()
                local rows = {}
                for i = 1, \(entries) do rows[i] = \(element) end
                return { count = 0, rows = rows }
            end,
            apply = { inc = function(state, action)
                state.count = state.count + action.by
                return read(state.rows)
            end },
            render = function(state) return { count = state.count, sum = read(state.rows) } end,
        }
        """
    var small = LuaFlow.Options()
    small.limits.largeCount = .max
    let hosts = try [small, LuaFlow.Options()].map {
        WorkflowHost(workflow: try LuaFlow(source: source, options: $0).workflow())
    }
    let sinks = hosts.map { $0.sink(of: LuaAction.self, at: NodePath([.init(name: "flow")])) }
    let action = try LuaAction(["type": "inc", "by": 1])
    return withExtendedLifetime(hosts) {
        compare(name, goal: goal, calls: max(1, 20_000 / entries)) {
            sinks[0]?.send(action)
        } ours: {
            sinks[1]?.send(action)
        }
    }
}

func largeShapes() throws -> [Comparison] {
    let ways = [
        ("by index", "i", "for i = 1, #rows do sum = sum + rows[i] end"),
        ("ipairs", "i", "for _, v in ipairs(rows) do sum = sum + v end"),
        ("pairs", "i", "for _, v in pairs(rows) do sum = sum + v end"),
        ("next", "i", "for _, v in next, rows do sum = sum + v end"),
        ("concat", "i", "sum = #table.concat(rows, ',')"),
        (
            "move, sort", "i",
            "local copy = table.move(rows, 1, #rows, 1, {}) table.sort(copy) sum = copy[1]"
        ),
        (
            "unpack, select", "i",
            "for i = 1, #rows, 100 do sum = sum + select('#', table.unpack(rows, i, i + 99)) end"
        ),
        (
            "records", "{ id = i, text = 'item', done = i % 2 == 0 }",
            "for _, row in ipairs(rows) do if row.done then sum = sum + row.id end end"
        ),
    ]
    return try [300, 10_000].flatMap { entries in
        try ways.map { way, element, body in
            try reading(
                "\(entries) entries, \(way)", entries: entries, element: element, body,
                goal: way == "records" ? 2.5 : 1.5)
        }
    }
}
