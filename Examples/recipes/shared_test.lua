local Shared = require "shared"

local ann, bob = { name = "ann" }, { name = "bob" }
local editor = { name = "eve", claims = { role = "editor" } }

local function send(action) return { ["do"] = "send", action = action } end

describe("shared", function()
    it("an entry is removed by who wrote it", function()
        local flow = workflow.test(Shared)
        flow:by "ann"
        flow:send { type = "add", text = "milk" }
        flow:expect_rendering { rows = { { text = "milk", author = "ann" } } }
        local remove = send { type = "remove", id = 1 }
        assert(flow:allows(ann, remove))
        assert(not flow:allows(bob, remove))
        assert(flow:allows(editor, remove))
        assert(not flow:allows(ann, send { type = "remove", id = 2 }))
    end)

    it("nobody writes for others, or undoes what others did", function()
        local flow = workflow.test(Shared)
        flow:by "bob"
        flow:send { type = "add", text = "milk", author = "ann" }
        flow:expect_state { entries = { { author = "bob" } } }
        assert(not flow:allows(bob, { ["do"] = "undo" }))
        assert(flow:allows(bob, { ["do"] = "read" }))
        assert(flow:allows(editor, { ["do"] = "undo" }))
    end)
end)
