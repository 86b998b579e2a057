-- A grid of numbers with two loops, a metatable for positions, and goto as continue.
local Grid = { name = "grid" }

function Grid.state(props)
    local cells = {}
    for y = 1, props.height or 2 do
        cells[y] = {}
        for x = 1, props.width or 2 do cells[y][x] = 0 end
    end
    return { cells = cells, steps = 0 }
end

Grid.apply = {
    press = function(state, action)
        local row = state.cells[action.y]
        row[action.x] = 1 - row[action.x]
        state.steps = state.steps + 1
        for _, cells in ipairs(state.cells) do
            for _, cell in ipairs(cells) do
                if cell == 0 then return end
            end
        end
        return { steps = state.steps }
    end,
}

function Grid.render(state, context)
    local rows = {}
    for y, cells in ipairs(state.cells) do
        rows[y] = {}
        for x, cell in ipairs(cells) do
            if cell == 1 then
                rows[y][x] = { on = true }
                goto next
            end
            rows[y][x] = { on = false, press = context:sink("press", { x = x, y = y }) }
            ::next::
        end
    end
    return { rows = rows, steps = state.steps }
end

return Grid
