-- A form with checks; texts come with the actions, and an error is kept until the next one.
local Login = { name = "login" }

function Login.state(props)
    return { name = props.name or "", password = "", error = nil, attempts = 0 }
end

Login.apply = {
    set_name = function(state, action)
        state.name = action.value
        state.error = nil
    end,
    set_password = function(state, action) state.password = action.value end,
    submit = function(state)
        state.attempts = state.attempts + 1
        if state.name == "" then
            state.error = "a name is missing"
        elseif #state.password < 8 then
            state.error = "the password is too short"
        elseif state.attempts > 3 then
            state.error = "too many attempts"
        else
            return { name = state.name, password = state.password }
        end
    end,
}

function Login.render(state, context)
    local ready = state.name ~= "" and state.password ~= ""
    return {
        name = state.name,
        error = state.error,
        set_name = context:sink("set_name"),
        set_password = context:sink("set_password"),
        submit = ready and context:sink("submit") or nil,
    }
end

return Login
