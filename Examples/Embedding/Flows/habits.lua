-- Habits: on how many days each was done.
local Habits = { state = { days = {}, last = {} } }

Habits.apply = {
    mark = function(state, action, context)
        local habit = action.text
        assert(habit ~= "", "mark needs a habit")
        local today = context.now // 86400
        if state.last[habit] ~= today then
            state.days[habit] = (state.days[habit] or 0) + 1
            state.last[habit] = today
        end
    end,
}

function Habits.render(state, context)
    local lines = {}
    for habit, days in pairs(state.days) do
        lines[#lines + 1] = ("%s: %d days"):format(habit, days)
    end
    return { lines = lines, commands = { mark = context:sink("mark") } }
end

return Habits
