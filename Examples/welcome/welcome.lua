-- Splash, login and sign-up, with a way back. Each screen is a child that speaks through its
-- output; this file only decides which screen follows. The output is { user = "<e-mail>" }.
local Splash = require "splash"
local Login = require "login"
local SignUp = require "sign_up"

local Welcome = {}

function Welcome.state()
    return { path = { "splash" }, email = "" }
end

-- Opens `screen` on top of the screen it belongs to, and only there.
local function open(state, screen, from)
    local top = state.path[#state.path]
    assert(top == from, screen .. " opens from " .. from .. ", not from " .. top)
    state.path[#state.path + 1] = screen
end

local function back(state)
    assert(#state.path > 1, "there is no screen to go back to")
    state.path[#state.path] = nil
end

Welcome.apply = {
    open_login = function(state) open(state, "login", "splash") end,
    open_sign_up = function(state) open(state, "sign_up", "login") end,
    back = back,
    signed_up = function(state, action)
        back(state)
        state.email = action.output.email
    end,
    logged_in = function(_, action)
        return { user = action.user }
    end,
}

local screens = {
    splash = function(_, context)
        return context:render(Splash, {}, { on_output = "open_login" })
    end,
    login = function(state, context)
        return context:render(Login, { email = state.email }, {
            on_output = function(output)
                if output.wants == "sign_up" then return "open_sign_up" end
                return { type = "logged_in", user = output.email }
            end,
        })
    end,
    sign_up = function(_, context)
        return context:render(SignUp, {}, { on_output = "signed_up" })
    end,
}

function Welcome.render(state, context)
    -- The screens below the top one are rendered too: what is rendered keeps its state.
    local stack = {}
    for index, name in ipairs(state.path) do
        stack[index] = screens[name](state, context)
    end
    return {
        screens = stack,
        back = #stack > 1 and context:sink("back") or nil,
    }
end

return Welcome
