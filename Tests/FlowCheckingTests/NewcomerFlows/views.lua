-- Views in another module, which get the whole state and the context.
local views = require "lib.views"

local App = { name = "app" }

function App.state() return { page = "start", user = nil, notices = {} } end

local actions = {}

function actions.enter(state, action)
    state.user = action.name
    state.page = "inside"
    table.insert(state.notices, "welcome, " .. action.name)
end

function actions.leave(state)
    state.user = nil
    state.page = "start"
end

App.apply = actions

function App.render(state, context)
    local view = views[state.page] or views.missing
    return view(state, context)
end

return App
