local Todo = require "todo"

describe("todo", function()
    local flow

    -- Runs before each test below, so that each has a flow of its own.
    before_each(function()
        flow = workflow.test(Todo)
    end)

    it("is empty at first", function()
        flow:expect_rendering { title = "0 of 0 done", rows = {}, clear_done = workflow.null }
    end)

    it("adds items", function()
        flow:send { type = "add", text = "milk" }
        flow:send { type = "add", text = "bread" }
        -- Fields that are not mentioned may be anything, but a list has just these elements.
        flow:expect_rendering {
            title = "0 of 2 done",
            rows = { { text = "milk", done = false }, { text = "bread", done = false } },
        }
    end)

    it("needs a text", function()
        flow:send "add"
        flow:expect_error "add needs a text"
        flow:expect_rendering { rows = {} }
    end)

    describe("with an item", function()
        before_each(function()
            flow:send { type = "add", text = "milk" }
        end)

        it("ticks it off", function()
            flow:send(flow.rendering.rows[1].toggle)
            flow:expect_rendering {
                title = "1 of 1 done",
                rows = { { done = true } },
                clear_done = workflow.sink "clear_done",
            }
            flow:send(flow.rendering.clear_done)
            flow:expect_rendering { rows = {} }
        end)

        it("renames it in its row", function()
            flow:send(flow.rendering.rows[1].edit)
            flow:expect_state({ editing = true }, "todo/item:1")
            flow:send(flow.rendering.rows[1].rename, { text = "oat milk" })
            flow:expect_state({ editing = false }, "todo/item:1")
            flow:expect_rendering { rows = { { text = "oat milk" } } }
        end)

        it("drops what is sent to a row that is gone", function()
            local row = flow.rendering.rows[1]
            flow:send(row.remove)
            flow:send(row.toggle)
            flow:expect_error { code = "unknown_node" }
        end)

        it("tells at its end how many there are", function()
            flow:send "finish"
            flow:expect_output { count = 1 }
        end)
    end)
end)
