-- A door that closes by itself.
local Door = { state = { is_open = false } }

Door.apply = {
    open = function(state)
        assert(not state.is_open, "the door is open")
        state.is_open = true
    end,
    close = function(state) state.is_open = false end,
}

function Door.render(state, context)
    if state.is_open then
        context:run("clock.after", { seconds = 5 }, { on_output = "close" })
        return { door = "open", close = context:sink("close") }
    end
    return { door = "closed", open = context:sink("open") }
end

return Door
