local Wizard = require "wizard"

describe("wizard", function()
    local flow

    before_each(function()
        flow = workflow.test(Wizard)
    end)

    it("goes from step to step", function()
        flow:send(flow.rendering.screen.send, { text = "Ada" })
        flow:expect_rendering { step = "2 of 2", back = workflow.sink "back" }
        flow:send(flow.rendering.screen.send, { text = "London" })
        flow:expect_output { who = "Ada", where = "London" }
    end)

    it("goes back, and keeps the answer", function()
        flow:send(flow.rendering.screen.send, { text = "Ada" })
        flow:send(flow.rendering.back)
        flow:expect_rendering {
            step = "1 of 2", screen = { answer = "Ada" }, back = workflow.null,
        }
    end)
end)
