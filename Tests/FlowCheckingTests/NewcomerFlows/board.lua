-- A board of cards in columns; children have keys, and give outputs.
local Card = require "parts.card"

local Board = { name = "board" }

function Board.state(props)
    local state = { columns = {}, moved = 0 }
    for index, title in ipairs(props.columns or { "to do", "done" }) do
        state.columns[index] = { title = title, cards = {} }
    end
    return state
end

local function find(state, id)
    for _, column in ipairs(state.columns) do
        for index, card in ipairs(column.cards) do
            if card.id == id then return column, index, card end
        end
    end
end

Board.apply = {
    add = function(state, action)
        local cards = state.columns[1].cards
        cards[#cards + 1] = { id = action.id, title = action.title or "untitled" }
    end,
    move = function(state, action)
        local from, index, card = find(state, action.id)
        if not from then return end
        table.remove(from.cards, index)
        table.insert(state.columns[action.to].cards, card)
        state.moved = state.moved + 1
    end,
}

function Board.render(state, context)
    local columns = {}
    for number, column in ipairs(state.columns) do
        local cards = {}
        for _, card in ipairs(column.cards) do
            cards[#cards + 1] = context:render(Card, { title = card.title }, {
                key = card.id,
                on_output = function(output)
                    return { type = "move", id = card.id, to = number + output.by }
                end,
            })
        end
        columns[number] = { title = column.title, cards = cards }
    end
    return { columns = columns, moved = state.moved, add = context:sink("add") }
end

return Board
