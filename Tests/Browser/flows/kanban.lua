-- A board with three columns; at most two cards may be under way.
local Card = { name = "card" }

function Card.state() return { flagged = false } end

Card.apply = {
    flag = function(state) state.flagged = not state.flagged end,
    edit = function(_, action, context)
        return { type = "edited", id = context.props.id, title = action.title, points = action.points }
    end,
    move = function(_, action, context) return { type = "moved", id = context.props.id, to = action.to } end,
    delete = function(_, _, context) return { type = "deleted", id = context.props.id } end,
}

local before = { doing = "todo", done = "doing" }
local after = { todo = "doing", doing = "done" }

function Card.render(state, context)
    local card = context.props
    local left, right = before[card.column], after[card.column]
    return {
        title = card.title,
        assignee = card.assignee,
        points = card.points,
        flagged = state.flagged,
        move_left = left and context:sink("move", { to = left }) or nil,
        move_right = right and context:sink("move", { to = right }) or nil,
        flag = context:sink("flag"),
        delete = card.column == "done" and context:sink("delete") or nil,
    }
end

local Board = {}

function Board.state()
    return {
        next = 6,
        cards = {
            { id = 1, title = "Write the invitation", assignee = "Ana", points = 2, column = "done" },
            { id = 2, title = "Book the venue", assignee = "Bo", points = 5, column = "doing" },
            { id = 3, title = "Order flowers", assignee = "Ana", points = 1, column = "todo" },
            { id = 4, title = "Ask the band whether they can play until midnight", assignee = "Chidi", points = 3, column = "todo" },
            { id = 5, title = "Seating plan", assignee = "Bo", points = 8, column = "todo" },
        },
    }
end

local function find(state, id)
    for index, card in ipairs(state.cards) do
        if card.id == id then return card, index end
    end
end

Board.apply = {
    add_card = function(state, action)
        assert(type(action.title) == "string" and action.title ~= "", "a card needs a title")
        local card = { id = state.next, title = action.title, assignee = action.assignee or "nobody", points = action.points or 1, column = "todo" }
        state.cards[#state.cards + 1] = card
        state.next = state.next + 1
    end,
    moved = function(state, action)
        local doing = 0
        for _, card in ipairs(state.cards) do
            if card.column == "doing" then doing = doing + 1 end
        end
        assert(action.to ~= "doing" or doing < 2, "at most two cards are under way: finish one first")
        find(state, action.id).column = action.to
    end,
    deleted = function(state, action)
        local _, index = find(state, action.id)
        table.remove(state.cards, index)
        if #state.cards == 0 then return { finished = true } end
    end,
}

function Board.render(state, context)
    local columns = { todo = {}, doing = {}, done = {} }
    local points = 0
    for _, card in ipairs(state.cards) do
        local list = columns[card.column]
        list[#list + 1] = context:render(Card, card, { key = card.id, on_output = function(output) return output end })
        points = points + card.points
    end
    return {
        title = "Wedding",
        points = points,
        columns = {
            { name = "To do", cards = columns.todo },
            { name = "Doing", cards = columns.doing },
            { name = "Done", cards = columns.done },
        },
        add_card = context:sink("add_card"),
    }
end

return Board
