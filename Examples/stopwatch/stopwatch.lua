-- A stopwatch: ticks while it runs, keeps lap times, and stops by itself if it is told to.
-- props: { limit = 3 } ends it after so many ticks; { tick = 1 } is the length of one in seconds.

local Stopwatch = {}

function Stopwatch.state()
    return { elapsed = 0, running = true, laps = {} }
end

Stopwatch.apply = {
    tick = function(state, action, context)
        -- Ticks that came too late are missing from the count, so add what has passed.
        local ticks = action.output.tick
        state.elapsed = (state.base or 0) + ticks
        local limit = context.props.limit
        if limit and state.elapsed >= limit then
            state.running = false
            return { elapsed = state.elapsed, laps = state.laps }
        end
    end,
    lap = function(state) state.laps[#state.laps + 1] = state.elapsed end,
    pause = function(state)
        state.running = false
        state.base = state.elapsed
    end,
    resume = function(state) state.running = true end,
    reset = function(state)
        state.elapsed, state.base, state.laps = 0, 0, {}
    end,
}

function Stopwatch.render(state, context)
    if state.running then
        context:run("clock.every", { seconds = context.props.tick or 1 }, { on_output = "tick" })
    end
    return {
        elapsed = state.elapsed,
        laps = state.laps,
        lap = context:sink("lap"),
        toggle = context:sink(state.running and "pause" or "resume"),
        reset = context:sink("reset"),
    }
end

return Stopwatch
