-- Asks a server, and tries again after 1, 2, 4 … seconds. `props.attempts` limits it to so many
-- attempts, three unless given.
local Fetch = { state = { screen = "loading", failures = 0 } }

local function fail(state, message, props)
    state.failures = state.failures + 1
    state.message = message
    state.screen = state.failures < (props.attempts or 3) and "waiting" or "failed"
end

Fetch.apply = {
    answered = function(state, action, context)
        local answer = action.output
        if answer.status == 200 then
            state.screen, state.body = "done", answer.body
        else
            fail(state, "the server answered " .. answer.status, context.props)
        end
    end,
    failed = function(state, action, context) fail(state, action.error.message, context.props) end,
    again = function(state) state.screen = "loading" end,
    start_over = function(state) state.screen, state.failures = "loading", 0 end,
}

function Fetch.render(state, context)
    if state.screen == "loading" then
        context:run("http.get", { url = context.props.url, timeout = 10 }, {
            on_output = "answered", on_error = "failed",
        })
    elseif state.screen == "waiting" then
        local seconds = 2 ^ (state.failures - 1)
        context:run("clock.after", { seconds = seconds }, { on_output = "again" })
    end
    return {
        screen = state.screen,
        message = state.screen ~= "done" and state.message or nil,
        body = state.body,
        try_again = state.screen == "failed" and context:sink("start_over") or nil,
    }
end

return Fetch
