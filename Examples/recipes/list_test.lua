local List = require "list"

describe("list", function()
    local flow

    before_each(function()
        flow = workflow.test(List, {
            items = {
                { id = 1, title = "milk", text = "two bottles" },
                { id = 2, title = "bread", text = "brown" },
            },
        })
    end)

    it("opens a row", function()
        flow:send(flow.rendering.rows[2].toggle)
        flow:expect_rendering { rows = { { text = workflow.null }, { text = "brown" } } }
    end)

    it("keeps a row open when the one before it is removed", function()
        flow:send(flow.rendering.rows[2].toggle)
        flow:send(flow.rendering.rows[1].remove)
        flow:expect_rendering { rows = { { title = "bread", text = "brown" } } }
    end)

    it("closes a row that is not shown", function()
        flow:send(flow.rendering.rows[2].toggle)
        flow:send(flow.rendering.find, { text = "milk" })
        flow:expect_rendering { rows = { { title = "milk" } } }
        flow:send(flow.rendering.find, { text = "" })
        flow:expect_rendering { rows = { { title = "milk" }, { text = workflow.null } } }
    end)
end)
