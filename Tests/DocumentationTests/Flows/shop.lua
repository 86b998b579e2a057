return {
    name = "shop",
    state = { wanted = false, bought = 0 },
    apply = {
        buy = function(state) state.wanted = true end,
        taken = function(state)
            state.wanted = false
            state.bought = state.bought + 2
        end,
        not_taken = function(state, action)
            state.wanted = false
            state.error = action.error.message
        end,
    },
    render = function(state, context)
        if state.wanted then
            context:run("session.send", { to = "stock", action = { type = "take", count = 2 } }, {
                on_output = "taken", on_error = "not_taken",
            })
        end
        return { bought = state.bought, error = state.error, buy = context:sink("buy") }
    end,
}
