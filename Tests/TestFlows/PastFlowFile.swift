package import TestSupport

/// The flow of random sessions, which can be edited while it is played.
package struct PastFlowFile {
    /// The number that `add` adds.
    package var by = 1
    /// The version, with a `migrate` that adds 1000.
    package var version = 1

    /// The line of `add` before which `state.n` is as it was at the step before.
    package static let lineOfAdd = 6

    package init() {}

    package func write(to folder: Folder) throws {
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
