-- Pure functions make new values, and apply puts them into the state.
local function with(list, item)
    local copy = table.move(list, 1, #list, 1, {})
    copy[#copy + 1] = item
    return copy
end

local function without(list, index)
    local copy = {}
    for i, item in ipairs(list) do
        if i ~= index then copy[#copy + 1] = item end
    end
    return copy
end

local reducers = {
    add = function(items, action) return with(items, { text = action.text, at = #items + 1 }) end,
    remove = function(items, action) return without(items, action.index) end,
}

local Todo = { state = function() return { items = {} } end }

function Todo.apply(state, action)
    local reduce = reducers[action.type]
    assert(reduce, "unknown action")
    state.items = reduce(state.items, action)
end

function Todo.render(state, context)
    local rows = {}
    for index, item in ipairs(state.items) do
        rows[index] = {
            text = item.text,
            remove = context:sink("remove", { index = index }),
        }
    end
    return { rows = rows, add = context:sink("add") }
end

return Todo
