-- A form. Each field has a value and, once it was changed, what is wrong with it; `submit` is there
-- when nothing is. The output is { name, email }.
local Form = {}

local checks = {
    email = function(value)
        if value:find("^[^@%s]+@[^@%s]+$") then return end
        return "enter an address such as ada@example.com"
    end,
    name = function(value)
        if value == "" then return "enter a name" end
    end,
}

function Form.state(props)
    return { values = { email = props.email or "", name = props.name or "" }, changed = {} }
end

local function problems(state)
    local found = {}
    for field, check in pairs(checks) do
        found[field] = check(state.values[field])
    end
    return found
end

Form.apply = {
    change = function(state, action)
        assert(checks[action.field], "there is no such field")
        assert(type(action.value) == "string", "change needs a value")
        state.values[action.field] = action.value
        state.changed[action.field] = true
    end,
    submit = function(state)
        local field, problem = next(problems(state))
        assert(not field, problem)
        return state.values
    end,
}

function Form.render(state, context)
    local found = problems(state)
    local fields = {}
    for field in pairs(checks) do
        fields[field] = {
            value = state.values[field],
            problem = state.changed[field] and found[field] or nil,
            change = context:sink("change", { field = field }),
        }
    end
    return {
        fields = fields,
        submit = not next(found) and context:sink("submit") or nil,
    }
end

return Form
