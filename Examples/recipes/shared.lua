-- A list that several people share: everybody sees it and adds to it, an entry is removed by who
-- wrote it, and an editor may do everything.
local Shared = { state = { entries = {}, next_id = 1 } }

local function entry(state, id)
    for index, known in ipairs(state.entries) do
        if known.id == id then return known, index end
    end
end

Shared.apply = {
    add = function(state, action, context)
        assert(type(action.text) == "string" and action.text ~= "", "add needs a text")
        local author = context.principal or "nobody"
        table.insert(state.entries, { id = state.next_id, text = action.text, author = author })
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
    local verb = what["do"]
    if principal.claims.role == "editor" or verb == "read" or verb == "follow" then return true end
    if verb == "create" then return true end
    if verb ~= "send" then return false end
    local action = what.action
    if action.type == "add" then return true end
    local known = entry(state, action.id)
    return known ~= nil and known.author == principal.name
end

return Shared
