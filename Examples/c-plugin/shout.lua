-- Says what it is given, loudly, by the plugin of this folder:
-- workflow-run shout.lua --plugin shout.so --props '{ "text": "hello" }'
local Shout = { name = "shout" }

function Shout.state()
    return { heard = {} }
end

Shout.apply = {
    said = function(state, action) state.heard[#state.heard + 1] = action.output end,
    done = function(state) return { heard = state.heard } end,
}

function Shout.render(state, context)
    context:run("shout.again", { text = context.props.text, times = 3 }, {
        on_output = "said",
        on_finish = "done",
    })
    return { heard = state.heard }
end

return Shout
