local Card = { name = "card" }

Card.state = { open = false }

Card.apply = {
    open = function(state) state.open = not state.open end,
    left = function() return { by = -1 } end,
    right = function() return { by = 1 } end,
}

function Card.render(state, context)
    local props = context.props
    return {
        title = props.title,
        detail = state.open and (props.detail or "nothing more") or nil,
        open = context:sink("open"),
        left = context:sink("left"),
        right = context:sink("right"),
    }
end

return Card
