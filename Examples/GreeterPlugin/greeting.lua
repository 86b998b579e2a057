-- Greets by the plugin of this folder:
-- workflow-run greeting.lua --plugin .build/debug/libGreeter.so --props '{ "name": "Ada" }'
local Greeting = { name = "greeting" }

Greeting.apply = {
    greeted = function(_, action) return { text = action.output } end,
}

function Greeting.render(_, context)
    context:run("greeter.greet", { name = context.props.name }, { on_output = "greeted" })
    return { name = context.props.name }
end

return Greeting
