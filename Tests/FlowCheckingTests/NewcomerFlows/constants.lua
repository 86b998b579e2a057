-- Action types and screens as constants, in computed keys.
local ADD, CLEAR <const> = "add", "clear"
local Screen = { LIST = "list", EMPTY = "empty" }

local List = { state = { items = {}, screen = Screen.EMPTY } }

List.apply = {
    [ADD] = function(state, action)
        state.items[#state.items + 1] = action.text
        state.screen = Screen.LIST
    end,
    [CLEAR] = function(state)
        state.items = {}
        state.screen = Screen.EMPTY
    end,
}

function List.render(state, context)
    local rendering = { [ADD] = context:sink(ADD) }
    if state.screen == Screen.LIST then
        rendering.items = state.items
        rendering[CLEAR] = context:sink(CLEAR)
    end
    return rendering
end

return List
