return {
    state = { n = 0 },
    apply = {
        spin = function(state)
            state.n = 1
            while true do pcall(function() while true do end end) end
        end,
        add = function(state) state.n = state.n + 1 end,
    },
    render = function(state) return { n = state.n } end,
}
