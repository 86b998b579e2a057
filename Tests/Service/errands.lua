-- Fetches numbers and sleeps, in turns; keeps what came, and how late it woke.
local Errands = { name = "errands" }

function Errands.state() return { fetched = {}, late = {}, notes = {} } end

Errands.apply = {
    fetched = function(state, action, context)
        table.insert(state.fetched, tonumber(action.output.body))
        state.due = context.now + context.props.seconds
    end,
    woke = function(state, _, context)
        table.insert(state.late, math.floor((context.now - state.due) * 1000))
    end,
    note = function(state, action) table.insert(state.notes, action.value) end,
}

function Errands.render(state, context)
    local count = #state.fetched
    if #state.late < count then
        context:run("clock.after", { seconds = context.props.seconds }, { key = count, on_output = "woke" })
    else
        local url = context.props.url .. "/" .. count + 1
        context:run("http.get", { url = url }, { key = count + 1, on_output = "fetched" })
    end
    return { fetched = state.fetched, late = state.late, notes = state.notes }
end

return Errands
