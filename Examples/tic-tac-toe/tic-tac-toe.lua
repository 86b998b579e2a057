-- Tic-tac-toe for two: `props.x` and `props.o` are the players' names. X begins.
-- This file decides which screen is up; the screens are children.
local TakeTurns = require "take_turns"
local GameOver = require "game_over"

local Game = {}

function Game.state()
    return { round = 1 }
end

Game.apply = {
    ended = function(state, action)
        state.result = action.output
    end,
    play_again = function(state)
        state.round = state.round + 1
        state.result = nil
    end,
    quit = function(state)
        return state.result
    end,
}

local function players(props)
    return { X = props.x or "X", O = props.o or "O" }
end

function Game.render(state, context)
    local names = players(context.props)
    if state.result then
        return context:render(GameOver, { result = state.result, players = names }, {
            on_output = function(choice) return choice end,
        })
    end
    -- A new key is a new node: each round starts with an empty board.
    return context:render(TakeTurns, { players = names }, {
        key = state.round,
        on_output = "ended",
    })
end

return Game
