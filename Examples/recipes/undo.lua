-- Undo for those who use a flow. What can be undone belongs to the state, so it is saved and
-- restored with it. (The timeline of a session is for those who develop and debug a flow.)
local Undo = { state = { text = "", past = {}, future = {} } }

Undo.apply = {
    write = function(state, action)
        assert(type(action.text) == "string", "write needs a text")
        table.insert(state.past, state.text)
        -- Whoever writes after an undo takes another way, and there is nothing to redo.
        state.text, state.future = action.text, {}
        if #state.past > 100 then table.remove(state.past, 1) end
    end,
    undo = function(state)
        assert(#state.past > 0, "there is nothing to undo")
        table.insert(state.future, state.text)
        state.text = table.remove(state.past)
    end,
    redo = function(state)
        assert(#state.future > 0, "there is nothing to redo")
        table.insert(state.past, state.text)
        state.text = table.remove(state.future)
    end,
}

function Undo.render(state, context)
    return {
        text = state.text,
        write = context:sink("write"),
        undo = #state.past > 0 and context:sink("undo") or nil,
        redo = #state.future > 0 and context:sink("redo") or nil,
    }
end

return Undo
