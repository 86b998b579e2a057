local Welcome = require "welcome"
local Login = require "login"

describe("welcome", function()
    local flow

    before_each(function()
        flow = workflow.test(Welcome)
    end)

    -- The screen on top of the others.
    local function top()
        return flow.rendering.screens[#flow.rendering.screens]
    end

    it("begins with the splash screen and no way back", function()
        flow:expect_rendering { screens = { { screen = "splash" } }, back = workflow.null }
    end)

    it("logs in", function()
        flow:send(top().continue)
        local login = { screen = "login", log_in = workflow.null }
        flow:expect_rendering { screens = { workflow.any, login } }
        flow:send(top().edit, { email = "ada@example.com" })
        flow:send(top().log_in)
        flow:expect_output { user = "ada@example.com" }
    end)

    it("fills in the address of a new account", function()
        flow:send(top().continue)
        flow:send(top().sign_up)
        flow:send(top().edit, { email = "ada@example.com" })
        flow:send(top().accept_terms)
        flow:send(top().submit)
        expect(top()):matches { screen = "login", email = "ada@example.com" }
    end)

    it("keeps what was typed below", function()
        flow:send(top().continue)
        flow:send(top().edit, { email = "ada@" })
        flow:send(top().sign_up)
        flow:expect_rendering { back = workflow.sink "back" }
        flow:send "back"
        expect(top()):matches { screen = "login", email = "ada@" }
    end)
end)

-- A screen can be tested by itself, too.
describe("login", function()
    it("needs an address", function()
        local flow = workflow.test(Login, { email = "" })
        flow:send "log_in"
        flow:expect_error "log_in needs an e-mail address"
    end)

    it("takes another address from its parent", function()
        local flow = workflow.test(Login, { email = "" })
        flow:update { email = "ada@example.com" }
        flow:expect_rendering { email = "ada@example.com", log_in = workflow.any }
    end)
end)
