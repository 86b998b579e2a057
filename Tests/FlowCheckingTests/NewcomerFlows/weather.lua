-- A file is read, and shown when it is there.
local Weather = {}

function Weather.state(props)
    return { status = "loading", path = props.path or "today.json" }
end

function Weather.changed(old, new, state)
    if old.path ~= new.path then
        state.path = new.path
        state.status = "loading"
    end
end

Weather.apply = {
    loaded = function(state, action)
        state.status = "ready"
        state.text = action.output.content
    end,
    failed = function(state, action)
        state.status = "failed"
        state.problem = action.error.message or action.error.code
    end,
    again = function(state) state.status = "loading" end,
}

function Weather.render(state, context)
    if state.status == "loading" then
        context:run("file.read", { path = state.path },
            { on_output = "loaded", on_error = "failed" })
        return { text = "…" }
    elseif state.status == "failed" then
        return { text = state.problem, again = context:sink("again") }
    end
    return { text = state.text, again = context:sink("again") }
end

return Weather
