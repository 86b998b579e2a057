-- A flow that keeps its own history: the state is replaced field by field.
local Draw = { state = { shape = "circle", size = 1, past = {} } }

local function remember(state)
    state.past[#state.past + 1] = { shape = state.shape, size = state.size }
end

Draw.apply = {
    shape = function(state, action)
        remember(state)
        state.shape = action.shape
    end,
    grow = function(state)
        remember(state)
        state.size = state.size * 2
    end,
    undo = function(state)
        local last = table.remove(state.past)
        if last == nil then return end
        for key, value in pairs(last) do state[key] = value end
    end,
}

function Draw.render(state, context)
    return {
        picture = state.size .. " " .. state.shape,
        shape = context:sink("shape"),
        grow = context:sink("grow"),
        undo = #state.past > 0 and context:sink("undo") or nil,
    }
end

return Draw
