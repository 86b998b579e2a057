local Undo = require "undo"

describe("undo", function()
    local flow

    before_each(function()
        flow = workflow.test(Undo)
        flow:send { type = "write", text = "one" }
        flow:send { type = "write", text = "two" }
    end)

    it("takes back what was written", function()
        flow:send(flow.rendering.undo)
        flow:expect_rendering { text = "one", redo = workflow.sink "redo" }
        flow:send(flow.rendering.redo)
        flow:expect_rendering { text = "two", redo = workflow.null }
    end)

    it("takes another way after that", function()
        flow:send(flow.rendering.undo)
        flow:send { type = "write", text = "three" }
        flow:expect_rendering { text = "three", redo = workflow.null }
        flow:send(flow.rendering.undo)
        flow:expect_rendering { text = "one" }
    end)

    it("has nothing to undo at first", function()
        flow = workflow.test(Undo)
        flow:send "undo"
        flow:expect_error "there is nothing to undo"
    end)
end)
