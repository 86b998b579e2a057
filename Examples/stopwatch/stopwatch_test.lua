local Stopwatch = require "stopwatch"

describe("stopwatch", function()
    it("counts seconds", function()
        local flow = workflow.test(Stopwatch)
        -- No clock runs in a test: time passes when the test says so.
        flow:advance(3)
        flow:expect_rendering { elapsed = 3 }
    end)

    it("counts ticks of another length", function()
        local flow = workflow.test(Stopwatch, { tick = 0.5 })
        flow:advance(3)
        flow:expect_rendering { elapsed = 6 }
    end)

    it("pauses and goes on", function()
        local flow = workflow.test(Stopwatch)
        flow:advance(2)
        flow:send(flow.rendering.toggle)
        flow:expect_no_worker()
        flow:advance(10)
        flow:expect_rendering { elapsed = 2, toggle = workflow.sink "resume" }
        flow:send(flow.rendering.toggle)
        flow:advance(1)
        flow:expect_rendering { elapsed = 3 }
    end)

    it("keeps laps", function()
        local flow = workflow.test(Stopwatch)
        flow:advance(1)
        flow:send(flow.rendering.lap)
        flow:advance(2)
        flow:send(flow.rendering.lap)
        flow:expect_rendering { laps = { 1, 3 } }
    end)

    it("ends at its limit", function()
        local flow = workflow.test(Stopwatch, { limit = 3 })
        flow:advance(5)
        flow:expect_output { elapsed = 3, laps = {} }
    end)

    -- A test can also play the part of the worker itself.
    it("adds up ticks that came late", function()
        local flow = workflow.test(Stopwatch)
        local clock = flow:worker("clock.every")
        clock:expect_input { seconds = 1 }
        clock:output { tick = 1 }
        clock:output { tick = 4 }
        flow:expect_rendering { elapsed = 4 }
    end)
end)
