-- Notes that are kept in the database at `props.database`, a file that is made on first use:
-- workflow-run notes.lua --allow file=notes.db --props '{ "database": "notes.db" }'
local Notes = {}

local CREATE = {
    sql = "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
}
local LIST = { sql = "SELECT id, text FROM notes ORDER BY id" }

function Notes.state()
    -- `waiting` is what is to be done in the database, in order; the first of it is being done.
    return { notes = {}, waiting = { LIST }, step = 1, closing = false }
end

-- Ends the flow once everything is in the database.
local function output(state)
    if state.closing and #state.waiting == 0 then return { count = #state.notes } end
end

local function next_step(state)
    table.remove(state.waiting, 1)
    state.step = state.step + 1
    return output(state)
end

Notes.apply = {
    add = function(state, action)
        assert(type(action.text) == "string" and action.text ~= "", "add needs a text")
        table.insert(state.waiting, {
            sql = "INSERT INTO notes (text) VALUES (?)",
            parameters = { action.text },
        })
    end,
    remove = function(state, action)
        assert(math.type(action.id) == "integer", "remove needs the id of a note")
        table.insert(state.waiting, {
            sql = "DELETE FROM notes WHERE id = ?",
            parameters = { action.id },
        })
    end,
    close = function(state)
        state.closing = true
        return output(state)
    end,
    done = function(state, action)
        local results = action.output
        state.notes = results[#results].rows
        state.problem = nil
        return next_step(state)
    end,
    failed = function(state, action)
        state.problem = action.error.message
        return next_step(state)
    end,
}

function Notes.render(state, context)
    if state.waiting[1] then
        -- All or nothing, and with it the list as it is afterwards. The key makes the same change
        -- twice two pieces of work.
        context:run("sqlite.transaction", {
            database = context.props.database,
            statements = { CREATE, state.waiting[1], LIST },
        }, { key = state.step, on_output = "done", on_error = "failed" })
    end
    local rows = {}
    for index, note in ipairs(state.notes) do
        rows[index] = { text = note.text, remove = context:sink("remove", { id = note.id }) }
    end
    return {
        rows = rows,
        busy = #state.waiting > 0,
        problem = state.problem,
        add = context:sink("add"),
        close = context:sink("close"),
    }
end

return Notes
