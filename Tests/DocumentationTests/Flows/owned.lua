-- What the guide to services shows: all may look, and the owner does the rest.
return {
    name = "owned",
    state = function(props) return { owner = props.owner, count = 0 } end,
    apply = {
        increment = function(state) state.count = state.count + 1 end,
    },
    render = function(state, context)
        return { count = state.count, increment = context:sink("increment") }
    end,
    access = function(principal, what, state)
        return what["do"] == "read" or principal.name == state.owner
    end
}
