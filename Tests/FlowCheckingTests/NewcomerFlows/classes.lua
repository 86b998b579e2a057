-- A small class, and a copy of a state for an undo of its own.
local Stack = {}
Stack.__index = Stack

function Stack.new() return setmetatable({ items = {} }, Stack) end
function Stack:push(item) self.items[#self.items + 1] = item end
function Stack:size() return #self.items end

local function copy(value)
    if type(value) ~= "table" then return value end
    local made = {}
    for key, inner in pairs(value) do made[key] = copy(inner) end
    return made
end

local Editor = { state = { text = "", before = {} } }

Editor.apply = {
    type = function(state, action)
        state.before[#state.before + 1] = copy(state.text)
        state.text = state.text .. action.text
    end,
    undo = function(state)
        state.text = table.remove(state.before) or ""
    end,
}

function Editor.render(state, context)
    local words = Stack.new()
    for word in state.text:gmatch("%a+") do words:push(word) end
    return {
        text = state.text,
        words = words:size(),
        type = context:sink("type"),
        undo = #state.before > 0 and context:sink("undo") or nil,
    }
end

return Editor
