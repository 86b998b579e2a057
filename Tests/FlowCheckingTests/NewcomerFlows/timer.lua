-- A timer with a default in its props, and a list of laps.
local Timer = {}
local MINUTE <const> = 60

function Timer.state()
    return { left = MINUTE, running = false, laps = {} }
end

local function tick(state)
    state.left = state.left - 1
    if state.left <= 0 then state.running = false end
end

Timer.apply = {
    start = function(state) state.running = true end,
    stop = function(state) state.running = false end,
    lap = function(state) state.laps[#state.laps + 1] = state.left end,
    tick = tick,
}

local function running(context)
    context:run("clock.every", { seconds = context.props.step or 1 }, { on_output = "tick" })
    return { stop = context:sink("stop"), lap = context:sink("lap") }
end

function Timer.render(state, context)
    local rendering = state.running and running(context) or { start = context:sink("start") }
    rendering.left = string.format("%d:%02d", state.left // 60, state.left % 60)
    rendering.laps = state.laps
    return rendering
end

return Timer
