-- Entries come from a file; what is in them is not known here.
local Feed = { state = { entries = {}, loading = true, selected = nil } }

Feed.apply = {
    loaded = function(state, action)
        state.loading = false
        for line in action.output.content:gmatch("[^\n]+") do
            local title, url = line:match("^(.-)\t(.*)$")
            if title then table.insert(state.entries, { title = title, url = url }) end
        end
    end,
    select = function(state, action)
        local entry = state.entries[action.index]
        state.selected = entry and entry.url
    end,
    failed = function(state) state.loading = false end,
}

function Feed.render(state, context)
    if state.loading then
        context:run("file.read", { path = "feed.tsv" }, { on_output = "loaded", on_error = "failed" })
    end
    local rows = {}
    for index, entry in ipairs(state.entries) do
        local row = { title = entry.title, select = context:sink("select", { index = index }) }
        if state.selected == entry.url then row.selected = true end
        rows[index] = row
    end
    return { rows = rows, loading = state.loading }
end

return Feed
