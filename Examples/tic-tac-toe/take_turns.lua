-- The round being played. Its output is { winner = "X" or "O", board } or { draw = true, board }.
local Board = require "board"

local TakeTurns = {}

function TakeTurns.state()
    return { board = Board.empty(), turn = "X" }
end

TakeTurns.apply = {
    take = function(state, action)
        Board.take(state.board, action.row, action.column, state.turn)
        if Board.has_line(state.board, state.turn) then
            return { winner = state.turn, board = state.board }
        elseif Board.is_full(state.board) then
            return { draw = true, board = state.board }
        end
        state.turn = state.turn == "X" and "O" or "X"
    end,
}

function TakeTurns.render(state, context)
    local rows = {}
    for row, squares in ipairs(state.board) do
        rows[row] = {}
        for column, mark in ipairs(squares) do
            -- Only a free square can be tapped.
            rows[row][column] = {
                mark = mark,
                tap = mark == "" and context:sink("take", { row = row, column = column }) or nil,
            }
        end
    end
    return {
        screen = "playing",
        message = context.props.players[state.turn] .. ", place your " .. state.turn,
        rows = rows,
    }
end

return TakeTurns
