local Counter = require "counter"

describe("counter", function()
    it("starts at zero", function()
        local flow = workflow.test(Counter)
        flow:expect_rendering { count = 0 }
    end)

    it("counts in steps of its props", function()
        local flow = workflow.test(Counter, { step = 5 })
        flow:send "increment"
        flow:send "increment"
        flow:send "decrement"
        flow:expect_rendering { count = 5 }

        -- The state stays when the props change.
        flow:update { step = 1 }
        flow:send "increment"
        flow:expect_rendering { count = 6 }
    end)

    it("is reset by the sink of its rendering", function()
        local flow = workflow.test(Counter)
        flow:send "increment"
        flow:send(flow.rendering.reset)
        flow:expect_state { count = 0 }
    end)

    it("can be undone", function()
        local flow = workflow.test(Counter)
        flow:send "increment"
        flow:undo()
        flow:expect_rendering { count = 0 }
        flow:redo()
        flow:expect_rendering { count = 1 }
    end)

    it("does not know other actions", function()
        local flow = workflow.test(Counter)
        flow:send "incremnt"
        flow:expect_error "counter has no action 'incremnt'. Did you mean 'increment'?"
    end)
end)
