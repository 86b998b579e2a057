local Counter = { state = { n = 0 } }

Counter.apply = {
    add = function(state, action) state.n = state.n + (action.by or 1) end,
    tell = function(state) return { n = state.n } end,
    spoil = function(state)
        state.n = 100
        error("no luck")
    end,
}

local function checked(n)
    if n == 13 then error("not thirteen") end
    return n
end

function Counter.render(state, context)
    return { n = checked(state.n), step = context.props.step, add = context:sink("add") }
end

return Counter
