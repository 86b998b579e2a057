return {
    name = "takings",
    state = { total = 0 },
    apply = {
        heard = function(state, action)
            local heard = action.output
            state.last = { step = heard.step, number = heard.number }
            state.total = state.total + heard.output.amount
        end,
    },
    render = function(state, context)
        context:run("session.outputs", { of = "till", after = state.last }, { on_output = "heard" })
        return { total = state.total }
    end,
}
