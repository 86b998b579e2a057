local Door = require "door"

describe("door", function()
    it("closes by itself", function()
        local flow = workflow.test(Door)
        flow:send "open"
        flow:advance(4)
        flow:expect_rendering { door = "open" }
        flow:advance(1)
        flow:expect_rendering { door = "closed" }
    end)

    it("is opened once", function()
        local flow = workflow.test(Door)
        flow:send "open"
        flow:send "open"
        flow:expect_error "the door is open"
        flow:send(flow.rendering.close)
    end)
end)
