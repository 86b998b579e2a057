-- Two children beside each other, each with a key, and one of another kind under a condition.
local Card = require "parts.card"

local Note = { name = "note", state = { text = "" } }
Note.apply = { write = function(state, action) state.text = action.text end }
function Note.render(state, context)
    return { text = state.text, write = context:sink("write") }
end

local Tabs = { name = "tabs", state = { tab = 1, moves = {} } }
Tabs.apply = {
    select = function(state, action) state.tab = action.tab end,
    moved = function(state, action) table.insert(state.moves, action.output.by) end,
}

function Tabs.render(state, context)
    local left = context:render(Card, { title = "left" }, { key = "left", on_output = "moved" })
    local right = context:render(Card, { title = "right" }, { key = "right", on_output = "moved" })
    local shown
    if state.tab == 1 then
        shown = context:render(Note)
    else
        shown = context:render(Note, {}, { key = "second" })
    end
    local tabs = {}
    for tab = 1, 2 do tabs[tab] = context:sink("select", { tab = tab }) end
    return { left = left, right = right, shown = shown, tabs = tabs, moves = #state.moves }
end

return Tabs
