-- Greets `props.name`. It has no state: a flow needs no more than a `render` function.
local Hello = {}

local function name(context)
    return context.props.name or "world"
end

Hello.apply = {
    -- What an action returns is the flow's output.
    leave = function(_, _, context)
        return "Goodbye, " .. name(context) .. "!"
    end,
}

function Hello.render(_, context)
    return {
        greeting = "Hello, " .. name(context) .. "!",
        leave = context:sink("leave"),
    }
end

return Hello
