-- Makes an account. Its output is { email }.
local SignUp = {}

function SignUp.state()
    return { email = "", accepted = false }
end

local function is_complete(state)
    return state.accepted and state.email:find("@", 1, true) ~= nil
end

SignUp.apply = {
    edit = function(state, action)
        assert(type(action.email) == "string", "edit needs an e-mail address")
        state.email = action.email
    end,
    accept_terms = function(state) state.accepted = true end,
    submit = function(state)
        assert(is_complete(state), "submit needs an e-mail address and the accepted terms")
        return { email = state.email }
    end,
}

function SignUp.render(state, context)
    return {
        screen = "sign_up",
        email = state.email,
        accepted = state.accepted,
        edit = context:sink("edit"),
        accept_terms = not state.accepted and context:sink("accept_terms") or nil,
        submit = is_complete(state) and context:sink("submit") or nil,
    }
end

return SignUp
