-- The commands of the notes program: add, done and list. Edit them, or write your own.
local Notes = { name = "notes" }

function Notes.state()
    return { notes = {} }
end

Notes.apply = {
    add = function(state, action)
        assert(action.text ~= "", "add needs a text, such as: add buy milk")
        table.insert(state.notes, { text = action.text })
    end,
    done = function(state, action)
        local number = math.tointeger(tonumber(action.text))
        assert(number and state.notes[number], "done needs the number of a note")
        table.remove(state.notes, number)
    end,
    list = function() end,
}

function Notes.render(state, context)
    local lines = {}
    for index, note in ipairs(state.notes) do
        local count = context:render("word_count", { text = note.text }, { key = index })
        lines[index] = ("%d. %s (%d words)"):format(index, note.text, count.words)
    end
    if #lines == 0 then lines[1] = "no notes" end
    return { lines = lines }
end

return Notes
