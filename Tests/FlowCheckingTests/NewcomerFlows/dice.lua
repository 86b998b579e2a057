-- A game with a random number and a number of tries.
local Dice = { state = { guess = 0, tries = 0 } }

Dice.apply = {
    begin = function(state, action, context)
        state.number = context:random(1, action.most or 6)
        state.tries = 0
    end,
    guess = function(state, action)
        state.guess = action.number
        state.tries = state.tries + 1
        if action.number == state.number then return { tries = state.tries } end
    end,
}

Dice.render = function(state, context)
    if not state.number then return { begin = context:sink("begin", { most = 6 }) } end
    local hint
    if state.tries > 0 then
        hint = state.guess < state.number and "more" or "less"
    end
    return { hint = hint, tries = state.tries, guess = context:sink("guess") }
end

return Dice
