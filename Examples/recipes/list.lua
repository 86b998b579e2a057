-- A list whose rows keep a state of their own. `find` narrows it down, and rows that are not shown
-- lose their state; what must last belongs to the list.
local Row = { name = "row", state = { open = false } }

Row.apply = {
    toggle = function(state) state.open = not state.open end,
    remove = function() return "remove" end,
}

function Row.render(state, context)
    local item = context.props.item
    return {
        title = item.title,
        text = state.open and item.text or nil,
        toggle = context:sink("toggle"),
        remove = context:sink("remove"),
    }
end

local List = {}

function List.state(props)
    return { items = props.items or {}, find = "" }
end

List.apply = {
    find = function(state, action) state.find = action.text end,
    remove = function(state, action)
        for index, item in ipairs(state.items) do
            if item.id == action.id then
                table.remove(state.items, index)
                return
            end
        end
        error("there is no such item")
    end,
}

function List.render(state, context)
    local rows = {}
    for _, item in ipairs(state.items) do
        if item.title:find(state.find, 1, true) then
            rows[#rows + 1] = context:render(Row, { item = item }, {
                key = item.id,
                on_output = function(output) return { type = output, id = item.id } end,
            })
        end
    end
    return { rows = rows, find = context:sink("find") }
end

return List
