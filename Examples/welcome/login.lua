-- Asks for an e-mail address. Its output is { email } or { wants = "sign_up" }.
local Login = {}

function Login.state(props)
    return { email = props.email }
end

-- A new account fills in the address of a login screen that is already there.
function Login.changed(old_props, new_props, state)
    if new_props.email ~= old_props.email then state.email = new_props.email end
end

Login.apply = {
    edit = function(state, action)
        assert(type(action.email) == "string", "edit needs an e-mail address")
        state.email = action.email
    end,
    log_in = function(state)
        assert(state.email ~= "", "log_in needs an e-mail address")
        return { email = state.email }
    end,
    sign_up = function() return { wants = "sign_up" } end,
}

function Login.render(state, context)
    return {
        screen = "login",
        email = state.email,
        edit = context:sink("edit"),
        log_in = state.email ~= "" and context:sink("log_in") or nil,
        sign_up = context:sink("sign_up"),
    }
end

return Login
