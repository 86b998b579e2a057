import PlainValue
import TestSupport

/// The flow of ``PastConformanceTests``, which can be edited while it is played.
struct PastFlowFile {
    /// How much `add` adds.
    var by = 1
    /// The version, with a `migrate` that adds 1000.
    var version = 1

    /// The line of `add` before which `state.n` is as it was at the step before.
    static let lineOfAdd = 6

    func write(to folder: TemporaryFolder) throws {
        try folder.write(
            """
            local Row = { name = "row", state = { seen = 0 } }
            Row.apply = { see = function(state) state.seen = state.seen + 1 return { type = "seen" } end }
            function Row.render(state, context) return { n = context.props.n, seen = state.seen } end
            local Sum = { name = "sum", state = { n = 0, seen = 0, ticks = 0, rows = {} }, version = \(version) }
            Sum.apply = {
                add = function(state) state.n = state.n + \(by) end,
                push = function(state, action) state.rows[#state.rows + 1] = { id = action.id } end,
                drop = function(state) table.remove(state.rows) end,
                roll = function(state, action, context) state.n = state.n + context:random(1, 6) end,
                seen = function(state) state.seen = state.seen + 1 end,
                tick = function(state, action) state.ticks = state.ticks + action.output end,
                fail = function(state) state.n = -1 error("no luck") end,
            }
            function Sum.migrate(state) state.n = state.n + 1000 return state end
            function Sum.render(state, context)
                if #state.rows > 0 then context:run("clock", {}, { on_output = "tick" }) end
                local rows = {}
                for i, row in ipairs(state.rows) do
                    rows[i] = context:render(Row, { n = row.id * state.n }, {
                        key = row.id, on_output = function(output) return output end,
                    })
                end
                return {
                    n = state.n, big = state.n > 2, rows = rows, seen = state.seen,
                    ticks = state.ticks, title = context.props.title or "none",
                }
            end
            return Sum
            """, to: "sum.lua")
    }
}

/// Something that a random session does.
enum PastAction: Hashable, CustomStringConvertible {
    case add, push(Int), drop, roll, see(Int), tick(Int), fail, title(Int)
    case undo, redo, branch
    /// A move to a part of the timeline, in percent.
    case go(Int)
    /// New files, with the state kept, migrated, or made by all inputs again.
    case keep(by: Int), migrate, replay(by: Int)

    static func random(using random: inout SeededNumbers) -> PastAction {
        let number = Int.random(in: 1...9, using: &random)
        switch Int.random(in: 0..<26, using: &random) {
        case 0..<6: return .add
        case 6, 7: return .push(number)
        case 8: return .drop
        case 9: return .roll
        case 10: return .see(number)
        case 11, 12: return .tick(number)
        case 13, 14: return .fail
        case 15: return .title(number)
        case 16, 17: return .undo
        case 18: return .redo
        case 19: return .branch
        case 20, 21: return .go(Int.random(in: 0...100, using: &random))
        case 22, 23: return .keep(by: number)
        case 24: return .migrate
        default: return .replay(by: number)
        }
    }

    /// Whether it gives up the steps after the one that is shown.
    var goesOn: Bool {
        switch self {
        case .undo, .redo, .go, .keep, .migrate, .replay: false
        default: true
        }
    }

    var description: String {
        switch self {
        case .add: "add"
        case .push(let id): "push \(id)"
        case .drop: "drop"
        case .roll: "roll"
        case .see(let id): "see \(id)"
        case .tick(let number): "tick \(number)"
        case .fail: "fail"
        case .title(let number): "title \(number)"
        case .undo: "undo"
        case .redo: "redo"
        case .branch: "branch"
        case .go(let part): "go to \(part) %"
        case .keep(let by): "keep with \(by)"
        case .migrate: "migrate"
        case .replay(let by): "replay with \(by)"
        }
    }
}
