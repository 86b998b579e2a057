-- Runs a command whenever a file changes, and shows how it went.
--
-- Nothing is read or run that is not granted, so say what may be watched and what may be run:
--   workflow-run build-watch.lua --allow file.read=src --allow process=make \
--       --props '{ "path": "src", "program": "make", "arguments": ["all"] }'
--
-- props.path: the file or folder to watch, from this folder; props.program, props.arguments: the
-- command.
local Watch = {}

function Watch.state()
    -- The first run is not for a change: it shows how things are.
    return { runs = 0, running = true, stale = false }
end

-- The result of a run during which a file changed is out of date, so the run is started again.
local function finish(state, result)
    state.runs = state.runs + 1
    state.last = result
    state.running = state.stale
    state.stale = false
end

Watch.apply = {
    changed = function(state, action)
        state.changed = action.output.path
        if state.running then state.stale = true else state.running = true end
    end,
    ran = function(state, action)
        local output = action.output
        finish(state, {
            ok = output.exit_code == 0,
            ended_by = output.signal or output.exit_code,
            text = output.stdout .. output.stderr,
        })
    end,
    failed = function(state, action)
        finish(state, { ok = false, ended_by = action.error.code, text = action.error.message })
    end,
    -- The watch itself has come to its end: the folder has gone, or may not be watched.
    lost = function(state, action)
        return { runs = state.runs, reason = action.error and action.error.message or "it is gone" }
    end,
    run = function(state) state.running = true end,
    stop = function(state) return { runs = state.runs } end,
}

function Watch.render(state, context)
    local props = context.props
    context:run("file.watch", { path = props.path }, {
        on_output = "changed",
        on_error = "lost",
        on_finish = "lost",
    })
    if state.running then
        context:run("process.run", { program = props.program, arguments = props.arguments }, {
            -- Another key is another run, also right after the one before.
            key = state.runs,
            on_output = "ran",
            on_error = "failed",
        })
    end
    return {
        watching = props.path,
        status = state.running and "running" or state.last.ok and "passed" or "failed",
        changed = state.changed,
        runs = state.runs,
        last = state.last,
        run = not state.running and context:sink("run") or nil,
        stop = context:sink("stop"),
    }
end

return Watch
