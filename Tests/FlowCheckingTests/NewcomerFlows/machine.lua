-- A state machine as a table: states, events and where they lead.
local machine = {
    red = { timer = "green" },
    green = { timer = "yellow", walk = "yellow" },
    yellow = { timer = "red" },
}
local seconds = { red = 4, green = 5, yellow = 1 }

local Light = { name = "light", state = { light = "red", walks = 0 } }

local function step(state, event)
    local to = machine[state.light][event]
    if to then state.light = to end
    return to ~= nil
end

Light.apply = {
    timer = function(state) step(state, "timer") end,
    walk = function(state)
        if step(state, "walk") then state.walks = state.walks + 1 end
    end,
}

function Light.render(state, context)
    context:run("clock.after", { seconds = seconds[state.light] },
        { key = state.light, on_output = "timer" })
    local events = {}
    for event in pairs(machine[state.light]) do
        if event ~= "timer" then events[event] = context:sink(event) end
    end
    return { light = state.light, walks = state.walks, events = events }
end

return Light
