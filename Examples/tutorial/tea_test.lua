local Tea = require "tea"

describe("tea", function()
    local flow

    before_each(function()
        flow = workflow.test(Tea)
    end)

    it("steeps for three minutes", function()
        flow:send "brew"
        flow:advance(179)
        flow:expect_rendering { message = "Steeping for 3 minutes", cups = 0 }
        flow:advance(1)
        flow:expect_rendering { message = "The kettle is hot", cups = 1 }
    end)

    it("has one cup", function()
        flow:send "brew"
        flow:send "brew"
        flow:expect_error "the cup is full"
        flow:advance(180)
    end)

    it("tells how many cups there were", function()
        flow:send { type = "brew", minutes = 4 }
        flow:worker("clock.after"):output { seconds = 240 }
        flow:send "leave"
        flow:expect_output { cups = 1 }
    end)
end)
