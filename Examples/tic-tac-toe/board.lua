-- The rules: a plain module of functions, not a flow. A board is three rows of three marks,
-- "X", "O" or "" for a free square.
local Board = {}

function Board.empty()
    return { { "", "", "" }, { "", "", "" }, { "", "", "" } }
end

-- Puts a mark on a free square; anything else is an error.
function Board.take(board, row, column, mark)
    local place = "row " .. tostring(row) .. ", column " .. tostring(column)
    local current = board[row] and board[row][column]
    assert(current, place .. " is not on the board")
    assert(current == "", place .. " is taken")
    board[row][column] = mark
end

-- Whether `mark` has three in a row, in a column or in a diagonal.
function Board.has_line(board, mark)
    local diagonal, other_diagonal = true, true
    for i = 1, 3 do
        local row, column = true, true
        for j = 1, 3 do
            row = row and board[i][j] == mark
            column = column and board[j][i] == mark
        end
        if row or column then return true end
        diagonal = diagonal and board[i][i] == mark
        other_diagonal = other_diagonal and board[i][4 - i] == mark
    end
    return diagonal or other_diagonal
end

function Board.is_full(board)
    for _, row in ipairs(board) do
        for _, mark in ipairs(row) do
            if mark == "" then return false end
        end
    end
    return true
end

return Board
