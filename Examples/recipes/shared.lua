-- A list that several people share: everybody sees it and adds to it, an entry is removed by who
-- wrote it, and an editor may do everything.
local Shared = { state = { entries = {}, next_id = 1 } }

local function entry(state, id)
    for index, known in ipairs(state.entries) do
        if known.id == id then return known, index end
    end
end

Shared.apply = {
    add = function(state, action)
        assert(type(action.text) == "string" and action.text ~= "", "add needs a text")
        assert(type(action.author) == "string", "add needs an author")
        table.insert(state.entries, { id = state.next_id, text = action.text, author = action.author })
        state.next_id = state.next_id + 1
    end,
    remove = function(state, action)
        local _, index = entry(state, action.id)
        assert(index, "there is no such entry")
        table.remove(state.entries, index)
    end,
}

function Shared.render(state, context)
    local rows = {}
    for index, known in ipairs(state.entries) do
        rows[index] = {
            text = known.text,
            author = known.author,
            remove = context:sink("remove", { id = known.id }),
        }
    end
    return { rows = rows, add = context:sink("add") }
end

function Shared.access(principal, what, state)
    if principal.role == "editor" or what["do"] == "read" then return true end
    if what["do"] ~= "send" then return false end
    local action = what.action
    if action.type == "add" then return action.author == principal.name end
    local known = entry(state, action.id)
    return known ~= nil and known.author == principal.name
end

return Shared
