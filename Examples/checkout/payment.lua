-- Waits for the verdict of whoever takes the money. Its output is { order } or { cancelled }.
local Payment = {}

function Payment.state()
    return { status = "authorizing" }
end

Payment.apply = {
    authorized = function(_, action)
        assert(type(action.order) == "string", "authorized needs an order")
        return { order = action.order }
    end,
    declined = function(state, action)
        state.status = "declined"
        state.reason = action.reason
    end,
    retry = function(state)
        state.status = "authorizing"
        state.reason = nil
    end,
    cancel = function()
        return { cancelled = true }
    end,
}

function Payment.render(state, context)
    local rendering = {
        amount = context.props.amount,
        status = state.status,
        reason = state.reason,
        cancel = context:sink("cancel"),
    }
    if state.status == "authorizing" then
        rendering.authorized = context:sink("authorized")
        rendering.declined = context:sink("declined")
    else
        rendering.retry = context:sink("retry")
    end
    return rendering
end

return Payment
