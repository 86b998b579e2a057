-- A machine as data: for each state the time that it lasts, and what follows.
local states = {
    red = { seconds = 20, on = { after = "green", power_cut = "off" } },
    green = { seconds = 15, on = { after = "yellow", power_cut = "off" } },
    yellow = { seconds = 3, on = { after = "red", power_cut = "off" } },
    off = { on = { power_back = "red" } },
}

local Light = { state = { value = "red" } }

function Light.apply(state, action)
    local target = states[state.value].on[action.type]
    assert(target, state.value .. " does not know " .. action.type)
    state.value = target
end

function Light.render(state, context)
    local seconds = states[state.value].seconds
    if seconds then
        local options = { key = state.value, on_output = "after" }
        context:run("clock.after", { seconds = seconds }, options)
    end
    return { light = state.value }
end

return Light
