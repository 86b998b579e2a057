-- Functions that close over the context and the props of one render.
local Table = {}

function Table.state(props)
    local rows = {}
    for index = 1, props.rows or 3 do rows[index] = { id = index, picked = false } end
    return { rows = rows, sort = "id", descending = false }
end

Table.apply = {
    pick = function(state, action)
        local row = state.rows[action.id]
        if row then row.picked = not row.picked end
    end,
    sort = function(state, action)
        if state.sort == action.by then state.descending = not state.descending end
        state.sort = action.by
    end,
}

function Table.render(state, context)
    local props = context.props
    local function header(by)
        local arrow = state.sort == by and (state.descending and "▼" or "▲") or ""
        return { text = (props.titles or {})[by] or by, arrow = arrow,
            sort = context:sink("sort", { by = by }) }
    end
    local sorted = table.move(state.rows, 1, #state.rows, 1, {})
    table.sort(sorted, function(a, b)
        local x, y = a.id, b.id
        if state.sort == "picked" then x, y = a.picked and 1 or 0, b.picked and 1 or 0 end
        if state.descending then x, y = y, x end
        return x < y
    end)
    local cells = {}
    for index, row in ipairs(sorted) do
        cells[index] = { id = row.id, picked = row.picked,
            pick = context:sink("pick", { id = row.id }) }
    end
    return { header = { header "id", header "picked" }, rows = cells }
end

return Table
