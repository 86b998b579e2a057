local Form = require "form"

describe("form", function()
    local flow

    before_each(function()
        flow = workflow.test(Form, { name = "Ada" })
    end)

    it("says nothing about a field that was not changed", function()
        flow:expect_rendering { fields = { email = { value = "", problem = workflow.null } } }
    end)

    it("says what is wrong", function()
        flow:send(flow.rendering.fields.email.change, { value = "ada" })
        flow:expect_rendering {
            fields = { email = { problem = "enter an address such as ada@example.com" } },
            submit = workflow.null,
        }
    end)

    it("gives what was entered", function()
        flow:send(flow.rendering.fields.email.change, { value = "ada@example.com" })
        flow:send(flow.rendering.submit)
        flow:expect_output { name = "Ada", email = "ada@example.com" }
    end)

    it("refuses to be submitted too early", function()
        flow:send "submit"
        flow:expect_error "enter an address such as ada@example.com"
    end)
end)
