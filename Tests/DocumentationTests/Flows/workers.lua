-- What the pages of the plugins show: each worker while `props.show` names it.
local Workers = {}

local shown = {
    clock = function(context)
        context:run("clock.every", { seconds = 1 }, { on_output = "tick" })
    end,
    file = function(context)
        context:run("file.watch", { path = "notes" }, { on_output = "changed" })
    end,
    http = function(context)
        context:run("http.get", { url = "https://api.example.com/today" }, {
            on_output = "arrived",
            on_error = "failed",
        })
    end,
    process = function(context)
        context:run("process.run", { program = "git", arguments = { "log", "--oneline" } },
            { on_output = "history", on_error = "no_history" })
    end,
    sqlite = function(context)
        context:run("sqlite.query", {
            database = "notes.db",
            sql = "SELECT id, text FROM notes WHERE text LIKE ?",
            parameters = { "%milk%" },
        }, { on_output = "found" })
    end,
}

local function nothing() end

Workers.apply = {
    arrived = nothing, changed = nothing, failed = nothing, found = nothing,
    history = nothing, no_history = nothing, tick = nothing,
}

function Workers.render(_, context)
    shown[context.props.show](context)
    return {}
end

return Workers
