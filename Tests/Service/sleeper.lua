-- Sleeps once, and keeps when it woke.
return {
    name = "sleeper",
    state = function() return {} end,
    apply = {
        woke = function(state, _, context) state.woke = context.now end,
        note = function(state, action) state.note = action.value end,
    },
    render = function(state, context)
        if not state.woke then
            context:run("clock.after", { seconds = context.props.seconds }, { on_output = "woke" })
        end
        return { woke = state.woke, note = state.note }
    end,
}
