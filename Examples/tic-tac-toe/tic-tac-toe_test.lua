local Game = require "tic-tac-toe"
local Board = require "board"

describe("board", function()
    it("is empty at first", function()
        expect(Board.empty()):equals { { "", "", "" }, { "", "", "" }, { "", "", "" } }
    end)

    it("takes a mark once", function()
        local board = Board.empty()
        Board.take(board, 1, 2, "X")
        expect(board[1]):equals { "", "X", "" }
        expect(function() Board.take(board, 1, 2, "O") end):fails "row 1, column 2 is taken"
        expect(function() Board.take(board, 4, 1, "O") end)
            :fails "row 4, column 1 is not on the board"
    end)

    it("sees lines in all directions", function()
        local lines = {
            row = { { "X", "X", "X" }, { "", "", "" }, { "", "", "" } },
            column = { { "X", "", "" }, { "X", "", "" }, { "X", "", "" } },
            diagonal = { { "X", "", "" }, { "", "X", "" }, { "", "", "X" } },
            other_diagonal = { { "", "", "X" }, { "", "X", "" }, { "X", "", "" } },
        }
        for name, board in pairs(lines) do
            assert(Board.has_line(board, "X"), name)
            assert(not Board.has_line(board, "O"), name)
        end
    end)
end)

describe("tic-tac-toe", function()
    local flow

    before_each(function()
        flow = workflow.test(Game, { x = "Ada", o = "Bob" })
    end)

    -- Taps squares, X first.
    local function play(...)
        for _, square in ipairs { ... } do
            flow:send(flow.rendering.rows[square[1]][square[2]].tap)
        end
    end

    it("lets the players take turns", function()
        flow:expect_rendering { screen = "playing", message = "Ada, place your X" }
        play({ 2, 2 })
        flow:expect_rendering {
            message = "Bob, place your O",
            -- What is taken cannot be tapped: null stands for nothing.
            rows = {
                { { mark = "" }, { mark = "" }, { mark = "" } },
                { { mark = "" }, { mark = "X", tap = workflow.null }, { mark = "" } },
                { { mark = "" }, { mark = "" }, { mark = "" } },
            },
        }
    end)

    it("is won by three in a row, and played again", function()
        play({ 1, 1 }, { 2, 1 }, { 1, 2 }, { 2, 2 }, { 1, 3 })
        flow:expect_rendering { screen = "game_over", message = "Ada wins" }
        flow:send(flow.rendering.play_again)
        flow:expect_rendering { screen = "playing", message = "Ada, place your X" }
    end)

    it("ends in a draw when the board is full", function()
        play({ 1, 1 }, { 1, 2 }, { 1, 3 }, { 2, 2 }, { 2, 1 }, { 2, 3 })
        play({ 3, 2 }, { 3, 1 }, { 3, 3 })
        flow:expect_rendering { screen = "game_over", message = "A draw" }
        flow:send(flow.rendering.quit)
        flow:expect_output {
            draw = true,
            board = { { "X", "O", "X" }, { "X", "O", "O" }, { "O", "X", "X" } },
        }
    end)
end)
