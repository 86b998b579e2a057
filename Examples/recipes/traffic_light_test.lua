local Light = require "traffic_light"

describe("traffic light", function()
    local flow

    before_each(function()
        flow = workflow.test(Light)
    end)

    it("goes round", function()
        for _, step in ipairs { { 20, "green" }, { 15, "yellow" }, { 3, "red" } } do
            flow:advance(step[1])
            flow:expect_rendering { light = step[2] }
        end
        flow:loosely()
    end)

    it("goes out in a power cut", function()
        flow:send "power_cut"
        flow:expect_rendering { light = "off" }
        flow:expect_no_worker()
        flow:send "power_cut"
        flow:expect_error "off does not know power_cut"
        flow:send "seconds"
        flow:expect_error "off does not know seconds"
        flow:send "power_back"
        flow:loosely()
    end)
end)
