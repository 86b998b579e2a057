-- Notes, with a way to read them from a file. Edit it, or write a flow of your own beside it.
local Notes = { state = { notes = {} } }

local function add(state, text)
    table.insert(state.notes, text)
    state.problem = nil
end

Notes.apply = {
    add = function(state, action)
        assert(action.text ~= "", "add needs a text, such as: notes notes add buy milk")
        add(state, action.text)
    end,
    done = function(state, action)
        local number = math.tointeger(tonumber(action.text))
        assert(number and state.notes[number], "done needs the number of a note")
        table.remove(state.notes, number)
    end,
    import = function(state, action) state.importing = action.text end,
    read = function(state, action)
        for _, line in ipairs(action.output) do add(state, line) end
        state.importing = nil
    end,
    failed = function(state, action)
        state.problem = action.error.message
        state.importing = nil
    end,
}

function Notes.render(state, context)
    if state.importing then
        context:run("notes.lines", { path = state.importing }, {
            on_output = "read", on_error = "failed",
        })
    end
    local lines = {}
    for index, note in ipairs(state.notes) do
        local count = context:render("word_count", { text = note }, { key = index })
        lines[index] = ("%d. %s (%d words)"):format(index, note, count.words)
    end
    if #lines == 0 then lines[1] = "no notes" end
    lines[#lines + 1] = state.problem
    return {
        lines = lines,
        commands = {
            add = context:sink("add"),
            done = #state.notes > 0 and context:sink("done") or nil,
            import = context:sink("import"),
        },
    }
end

return Notes
