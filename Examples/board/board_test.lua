local Board = require "board"

describe("board", function()
    local flow
    before_each(function() flow = workflow.test(Board, { titles = { "holiday" } }) end)

    it("approves a card when both reviewers did", function()
        flow:send(flow.rendering.cards[1].approve.ann)
        flow:expect_rendering { open = 1, cards = { { status = "open", missing = 1, asked = 1 } } }
        flow:send(flow.rendering.cards[1].approve.ben)
        flow:expect_rendering { open = 0, final = true, cards = { { status = "approved" } } }
    end)

    it("revises a card", function()
        flow:send(flow.rendering.cards[1].edit)
        flow:expect_rendering { cards = { { status = "edited", revision = 1 } } }
        flow:send(flow.rendering.cards[1].save)
        flow:expect_rendering { cards = { { status = "open", revision = 2 } } }
    end)
end)
