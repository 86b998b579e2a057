-- Sends letters to another session, one after the other, and keeps the numbers of those that came.
return {
    name = "letters",
    state = function() return { sent = 0, got = {}, failed = {}, rests = true } end,
    apply = {
        begin = function(state) state.begun = true end,
        sent = function(state) state.sent, state.rests = state.sent + 1, true end,
        failed = function(state, action) table.insert(state.failed, action.error.code) end,
        rested = function(state) state.rests = false end,
        letter = function(state, action) table.insert(state.got, action.number) end,
    },
    render = function(state, context)
        if state.begun and state.rests then
            context:run("clock.after", { seconds = 0.2 }, { key = state.sent, on_output = "rested" })
        elseif state.begun then
            local letter = { type = "letter", number = state.sent + 1 }
            context:run("session.send", { to = context.props.to, action = letter },
                { key = letter.number, on_output = "sent", on_error = "failed" })
        end
        return { sent = state.sent, got = state.got, failed = state.failed }
    end,
}
