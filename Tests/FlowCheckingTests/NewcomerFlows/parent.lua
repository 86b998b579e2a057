-- Children in a table by name, outputs as actions of the parent with what they carry.
local kinds = { card = require "parts.card" }

local Ask = { name = "ask", state = { text = "" } }
Ask.apply = {
    type = function(state, action) state.text = action.text end,
    yes = function(state) return { answer = true, text = state.text } end,
    no = function() return { answer = false } end,
}
function Ask.render(state, context)
    return {
        question = context.props.question, text = state.text,
        yes = context:sink("yes"), no = context:sink("no"), type = context:sink("type"),
    }
end
kinds.ask = Ask

local Parent = { name = "parent", state = { answers = {}, shown = "ask", moved = 0 } }

Parent.apply = {
    answered = function(state, action)
        local output = action.output
        state.answers[#state.answers + 1] = output.answer and output.text or "no"
        state.shown = "card"
    end,
    moved = function(state, action) state.moved = state.moved + action.output.by end,
}

function Parent.render(state, context)
    local handler = { ask = "answered", card = "moved" }
    local props = { ask = { question = "Sure?" }, card = { title = "Done", detail = "really" } }
    return {
        child = context:render(kinds[state.shown], props[state.shown],
            { on_output = handler[state.shown] }),
        answers = state.answers, moved = state.moved,
    }
end

return Parent
