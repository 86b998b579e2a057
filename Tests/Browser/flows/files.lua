-- A folder of files that are opened, renamed and deleted.
local Files = {}

function Files.state()
    return {
        folder = "Letters",
        files = {
            { name = "to-mira.txt", size = 1830, changed = 1792000000, text = "Dear Mira,\n\nthe ferry leaves at nine. Bring the bread.\n\nTomás" },
            { name = "minutes.txt", size = 48210, changed = 1795500000, text = "Present: all but the gulls." },
            { name = "harbour.png", size = 2480112, changed = 1795900000 },
        },
    }
end

local function find(state, name)
    for index, file in ipairs(state.files) do
        if file.name == name then return file, index end
    end
    error("there is no " .. tostring(name))
end

Files.apply = {
    open = function(state, action) state.open = find(state, action.file).name end,
    close = function(state) state.open = nil end,
    rename = function(state, action)
        assert(action.name and action.name ~= "", "a file has a name")
        local file = find(state, action.file)
        file.name = action.name
        state.editing = nil
    end,
    edit = function(state, action) state.editing = action.file end,
    delete = function(state, action)
        local _, index = find(state, action.file)
        table.remove(state.files, index)
    end,
    create = function(state, action)
        assert(action.name and action.name ~= "", "a new file needs a name")
        table.insert(state.files, { name = action.name, size = 0, changed = 1796000000, text = "" })
    end,
    leave = function(state) return { files = #state.files } end,
}

function Files.render(state, context)
    if state.open then
        local file = find(state, state.open)
        return {
            ["$view"] = { format = { contents = "text", size = "bytes" } },
            title = file.name,
            size = file.size,
            contents = file.text or "This is a picture.",
            close = context:sink("close"),
        }
    end
    local rows = {}
    for index, file in ipairs(state.files) do
        local is_edited = state.editing == file.name
        rows[index] = {
            name = file.name,
            size = file.size,
            changed = file.changed,
            open = context:sink("open", { file = file.name }),
            rename = is_edited and context:sink("rename", { file = file.name }) or context:sink("edit", { file = file.name }),
            delete = context:sink("delete", { file = file.name }),
        }
    end
    return {
        ["$view"] = { format = { size = "bytes", changed = "date" } },
        title = state.folder,
        files = rows,
        create = context:sink("create"),
        leave = context:sink("leave"),
    }
end

return Files
