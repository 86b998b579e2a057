-- A request with retries: the tries are part of the key, so that each is a new worker.
local Upload = {}
local MOST = 3

function Upload.state() return { phase = "idle", tries = 0, text = "" } end

local function failed(state, message)
    state.phase = "failed"
    state.message = message
end

Upload.apply = {
    edit = function(state, action) state.text = action.text end,
    save = function(state)
        if state.text == "" then return failed(state, "there is nothing to save") end
        state.phase, state.tries = "saving", state.tries + 1
    end,
    saved = function(state, action)
        state.phase = "idle"
        state.message = action.output.size .. " bytes"
        return { saved = state.text }
    end,
    broke = function(state, action)
        if state.tries < MOST then
            state.tries = state.tries + 1
        else
            failed(state, action.error.help or action.error.message)
        end
    end,
}

function Upload.render(state, context)
    if state.phase == "saving" then
        context:run("file.write", { path = "note.txt", content = state.text },
            { key = state.tries, on_output = "saved", on_error = "broke" })
    end
    return {
        text = state.text,
        message = state.message,
        busy = state.phase == "saving",
        edit = state.phase ~= "saving" and context:sink("edit") or nil,
        save = state.phase ~= "saving" and context:sink("save") or nil,
    }
end

return Upload
