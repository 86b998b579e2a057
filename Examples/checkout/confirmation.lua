-- Thanks the customer. Its output says that the screen was closed.
local Confirmation = {}

Confirmation.apply = {
    close = function() return "closed" end,
}

function Confirmation.render(_, context)
    return {
        message = "Thank you for order " .. context.props.order,
        total = context.props.total,
        close = context:sink("close"),
    }
end

return Confirmation
