-- Parts of definitions that are put together by a loop.
local function mixed(...)
    local Definition = { apply = {} }
    for _, part in ipairs { ... } do
        for name, apply in pairs(part.apply or {}) do Definition.apply[name] = apply end
    end
    return Definition
end

local naming = { apply = { rename = function(state, action) state.name = action.name end } }
local hiding = { apply = { hide = function(state) state.hidden = not state.hidden end } }

local Mixed = mixed(naming, hiding)
Mixed.name = "mixed"
Mixed.state = function(props) return { name = props.name or "unnamed", hidden = false } end
Mixed.render = function(state, context)
    local shown = {}
    if not state.hidden then shown.name = state.name end
    for _, type in ipairs { "rename", "hide" } do shown[type] = context:sink(type) end
    return shown
end

return Mixed
