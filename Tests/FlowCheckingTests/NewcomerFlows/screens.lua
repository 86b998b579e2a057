-- Screens as a table of functions, each a part of render.
local Screens = { state = { screen = "home", visits = 0 } }

local screens = {}

function screens.home(state, context)
    return { title = "Home", visits = state.visits, go = context:sink("go", { to = "about" }) }
end

function screens.about(_, context)
    return { title = "About", go = context:sink("go", { to = "home" }) }
end

Screens.apply = {
    go = function(state, action)
        assert(screens[action.to], "there is no such screen")
        state.screen = action.to
        state.visits = state.visits + 1
    end,
}

function Screens.render(state, context)
    return screens[state.screen](state, context)
end

return Screens
