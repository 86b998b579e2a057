local Owned = require "owned"

describe("a flow with an owner", function()
    it("is read by all and changed by the owner", function()
        local flow = workflow.test(Owned, { owner = "ann" })
        local increment = { ["do"] = "send", action = { type = "increment" } }
        assert(flow:allows({ name = "ann" }, increment))
        assert(not flow:allows({ name = "bob" }, increment))
        assert(flow:allows({ name = "bob" }, { ["do"] = "read" }))
    end)
end)
