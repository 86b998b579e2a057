-- Messages by somebody, at some time; a typing notice that ends by itself.
local Chat = { name = "chat" }

function Chat.state() return { messages = {}, typing = nil } end

local function add(state, message)
    local messages = state.messages
    messages[#messages + 1] = message
    if #messages > 50 then table.remove(messages, 1) end
end

Chat.apply = {
    say = function(state, action, context)
        add(state, { from = context.principal or "guest", text = action.text, at = context.now })
        state.typing = nil
    end,
    typing = function(state, _, context) state.typing = context.principal or "guest" end,
    quiet = function(state) state.typing = nil end,
}

function Chat.render(state, context)
    if state.typing then
        context:run("clock.after", { seconds = 3 }, { on_output = "quiet", key = state.typing })
    end
    return {
        messages = state.messages,
        notice = state.typing and state.typing .. " is typing" or nil,
        say = context:sink("say"),
        typing = context:sink("typing"),
    }
end

return Chat
