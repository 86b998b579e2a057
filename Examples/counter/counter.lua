-- A number that goes up and down by `props.step`.
local Counter = {}

function Counter.state()
    return { count = 0 }
end

local function step(context)
    return context.props.step or 1
end

Counter.apply = {
    increment = function(state, _, context) state.count = state.count + step(context) end,
    decrement = function(state, _, context) state.count = state.count - step(context) end,
    reset = function(state) state.count = 0 end,
}

function Counter.render(state, context)
    return {
        count = state.count,
        increment = context:sink("increment"),
        decrement = context:sink("decrement"),
        reset = context:sink("reset"),
    }
end

return Counter
