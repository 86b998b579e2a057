-- One row of the list. It remembers only whether it is being edited; the item itself is the
-- list's, which hears of every wish as an output.
local Item = {}

function Item.state()
    return { editing = false }
end

Item.apply = {
    toggle = function() return { type = "toggle" } end,
    remove = function() return { type = "remove" } end,
    edit = function(state) state.editing = true end,
    rename = function(state, action)
        state.editing = false
        return { type = "rename", text = action.text }
    end,
}

function Item.render(state, context)
    local item = context.props.item
    local row = {
        text = item.text,
        done = item.done,
        toggle = context:sink("toggle"),
        remove = context:sink("remove"),
    }
    if state.editing then
        row.rename = context:sink("rename")
    else
        row.edit = context:sink("edit")
    end
    return row
end

return Item
