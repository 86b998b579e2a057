-- Each value that is added changes what all later ones lead to: a value that is lost, doubled or in another place shows.
return {
    name = "chain",
    state = function() return { count = 0, sum = 1 } end,
    apply = {
        add = function(state, action)
            state.count = state.count + 1
            state.sum = (state.sum * 31 + action.value) % 2147483647
            return { sum = state.sum }
        end,
    },
    render = function(state) return { count = state.count, sum = state.sum } end,
}
