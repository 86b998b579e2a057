-- A list of things to do. The list owns the things; each row is a child with a state of its own.
local Item = require "item"

local Todo = {}

function Todo.state()
    return { items = {}, next_id = 1 }
end

-- Actions come from outside, so they are checked. An error leaves the state as it was.
local function checked_text(action)
    assert(type(action.text) == "string" and action.text ~= "", action.type .. " needs a text")
    return action.text
end

local function find(state, id)
    for index, item in ipairs(state.items) do
        if item.id == id then return item, index end
    end
    error("there is no item " .. tostring(id))
end

Todo.apply = {
    add = function(state, action)
        local item = { id = state.next_id, text = checked_text(action), done = false }
        state.items[#state.items + 1] = item
        state.next_id = state.next_id + 1
    end,
    toggle = function(state, action)
        local item = find(state, action.id)
        item.done = not item.done
    end,
    rename = function(state, action)
        find(state, action.id).text = checked_text(action)
    end,
    remove = function(state, action)
        local _, index = find(state, action.id)
        table.remove(state.items, index)
    end,
    clear_done = function(state)
        local remaining = {}
        for _, item in ipairs(state.items) do
            if not item.done then remaining[#remaining + 1] = item end
        end
        state.items = remaining
    end,
    finish = function(state)
        return { count = #state.items }
    end,
}

function Todo.render(state, context)
    local rows, done = {}, 0
    for index, item in ipairs(state.items) do
        -- The key keeps a row's state with its item, wherever the item is in the list.
        rows[index] = context:render(Item, { item = item }, {
            key = item.id,
            -- A row speaks of itself; which item that is, only the list knows.
            on_output = function(output)
                return { type = output.type, id = item.id, text = output.text }
            end,
        })
        if item.done then done = done + 1 end
    end
    return {
        title = done .. " of " .. #rows .. " done",
        rows = rows,
        add = context:sink("add"),
        clear_done = done > 0 and context:sink("clear_done") or nil,
        finish = context:sink("finish"),
    }
end

return Todo
