-- A conversation; `props.messages` says how many there are at first.
local Chat = {}

local people = { "Mira", "Tomás", "Ngozi" }
local sayings = {
    "Has the ferry left?", "It waits for the tide, so there is an hour.", "Then I bring the bread.",
    "The gulls are at the boxes again. Somebody should close them before they find out what is in the lower ones.",
    "Closed.", "Thank you!",
}

function Chat.state(props)
    local messages = {}
    for index = 1, props.messages or 12 do
        messages[index] = {
            author = people[index % #people + 1],
            text = sayings[index % #sayings + 1],
            at = string.format("%02d:%02d", 9 + index // 60 % 12, index % 60),
            likes = index % 7 == 0 and 2 or 0,
        }
    end
    return { messages = messages }
end

Chat.apply = {
    say = function(state, action)
        assert(action.text and action.text ~= "", "say something")
        state.messages[#state.messages + 1] = { author = "You", text = action.text, at = "21:00", likes = 0 }
    end,
    like = function(state, action)
        local message = state.messages[action.index]
        message.likes = message.likes + 1
    end,
    leave = function(state) return { messages = #state.messages } end,
}

function Chat.render(state, context)
    local messages = {}
    for index, message in ipairs(state.messages) do
        messages[index] = {
            author = message.author,
            text = message.text,
            at = message.at,
            likes = message.likes > 0 and message.likes or nil,
            like = message.author ~= "You" and context:sink("like", { index = index }) or nil,
        }
    end
    return {
        title = "#harbour",
        messages = messages,
        say = context:sink("say"),
        leave = context:sink("leave"),
    }
end

return Chat
