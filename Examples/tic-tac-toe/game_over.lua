-- The end of a round: who won, and what next. Its output is "play_again" or "quit".
local GameOver = {}

GameOver.apply = {
    play_again = function() return "play_again" end,
    quit = function() return "quit" end,
}

function GameOver.render(_, context)
    local result, players = context.props.result, context.props.players
    local rows = {}
    for index, row in ipairs(result.board) do
        rows[index] = {}
        for column, mark in ipairs(row) do
            rows[index][column] = { mark = mark }
        end
    end
    return {
        screen = "game_over",
        message = result.draw and "A draw" or players[result.winner] .. " wins",
        rows = rows,
        play_again = context:sink("play_again"),
        quit = context:sink("quit"),
    }
end

return GameOver
