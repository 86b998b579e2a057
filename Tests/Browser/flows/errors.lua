-- Values and refusals of the kinds that pages stumble over.
local Errors = {}

function Errors.state() return { rounds = { { 3, 5 }, { 4 } }, weight = nil } end

Errors.apply = {
    play = function(state, action)
        assert(type(action.first) == "number", "first must be a number")
        state.rounds[#state.rounds + 1] = { action.first, action.second or 2 }
    end,
    weigh = function(state, action)
        local weight = action["weight"]
        assert(math.type(weight) ~= nil, "the weight must be a number")
        state.weight = weight
    end,
    blank = function(state) state.pressed = (state.pressed or 0) + 1 end,
    fail = function() error("") end,
    break_down = function(_, action) return action.nothing.at_all end,
    leave = function(state) return { rounds = #state.rounds } end,
}

function Errors.render(state, context)
    return {
        title = "Odds and ends",
        warning = "Some of these buttons are refused.",
        account = 12345678901234567,
        third = 1 / 3,
        tiny = 5e-324,
        nothing = "",
        markup = "<b>not bold</b>",
        word = ("Donaudampfschifffahrtsgesellschaft"):rep(3),
        rounds = state.rounds,
        files = {
            ["main.lua"] = context:sink("blank"), ["util.lua"] = context:sink("blank"), ["read me"] = context:sink("blank"),
        },
        [" "] = context:sink("blank"),
        [""] = context:sink("blank"),
        pressed = state.pressed,
        weight = state.weight,
        play = context:sink("play"),
        weigh = context:sink("weigh"),
        fail = context:sink("fail"),
        break_down = context:sink("break_down"),
        leave = context:sink("leave"),
    }
end

return Errors
