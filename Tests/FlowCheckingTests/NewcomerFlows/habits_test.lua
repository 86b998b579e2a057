local Habits = require "habits"

local function made()
    local flow = workflow.test(Habits)
    flow:send { type = "add", name = "read" }
    return flow
end

describe("habits", function()
    it("adds", function()
        local flow = made()
        flow:expect_state { habits = { { name = "read" } } }
    end)

    it("toggles", function()
        local flow = made()
        flow:send(flow.rendering.rows[1].toggle)
        assert(flow.state.habits[1].done)
    end)

    it("filters", function()
        local flow = made()
        flow:send "filter"
        local rows = flow.rendering.rows
        expect(#rows):equals(1)
    end)

    it("finishes", function()
        local flow = made()
        flow:send "finish"
        flow:expect_output { done = 0, all = 1 }
    end)

    pending "remembers"
end)
