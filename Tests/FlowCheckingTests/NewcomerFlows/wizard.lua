-- Three screens; what the screens are is a text in the state.
local Wizard = { name = "wizard" }

Wizard.state = { screen = "name", name = "", age = nil }

Wizard.apply = {
    next = function(state, action)
        if state.screen == "name" then
            state.name = action.name or state.name
            state.screen = "age"
        elseif state.screen == "age" then
            state.age = tonumber(action.age)
            state.screen = "done"
        end
    end,
    back = function(state)
        local before = { age = "name", done = "age" }
        state.screen = before[state.screen] or "name"
    end,
    confirm = function(state) return { name = state.name, age = state.age } end,
}

function Wizard.render(state, context)
    if state.screen == "name" then
        return { title = "Your name", next = context:sink("next") }
    end
    if state.screen == "age" then
        return { title = "Your age, " .. state.name, next = context:sink("next"),
            back = context:sink("back") }
    end
    return { title = "Right?", confirm = context:sink("confirm"), back = context:sink("back") }
end

return Wizard
