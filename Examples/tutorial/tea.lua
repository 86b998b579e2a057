-- A tea timer. Its output is { cups }, when the tea drinker leaves.

---@class Tea: workflow.Definition
local Tea = {}

function Tea.state()
    return { cups = 0 }
end

Tea.apply = {
    brew = function(state, action)
        assert(not state.minutes, "the cup is full")
        state.minutes = action.minutes or 3
    end,
    ready = function(state)
        state.minutes = nil
        state.cups = state.cups + 1
    end,
    leave = function(state)
        return { cups = state.cups }
    end,
}

function Tea.render(state, context)
    local rendering = { cups = state.cups, leave = context:sink("leave") }
    if state.minutes then
        context:run("clock.after", { seconds = state.minutes * 60 }, { on_output = "ready" })
        rendering.message = "Steeping for " .. state.minutes .. " minutes"
    else
        rendering.message = "The kettle is hot"
        rendering.brew = context:sink("brew")
    end
    return rendering
end

return Tea
