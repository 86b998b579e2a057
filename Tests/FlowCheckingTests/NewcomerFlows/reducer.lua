-- One function for all actions, in the way of reducers, but it changes the state.
local Reducer = { state = { n = 0, history = {} } }

function Reducer.apply(state, action)
    if action.type == "increase" then
        state.n = state.n + (action.by or 1)
    elseif action.type == "decrease" then
        state.n = state.n - (action.by or 1)
    elseif action.type == "reset" then
        state.n = 0
    else
        error("there is no action " .. action.type)
    end
    table.insert(state.history, action.type)
    if state.n > 100 then return "enough" end
end

function Reducer.render(state, context)
    return {
        n = state.n,
        last = state.history[#state.history],
        increase = context:sink("increase", { by = 5 }),
        decrease = context:sink("decrease"),
        reset = context:sink("reset"),
    }
end

return Reducer
