-- Habits to keep: a list of records, a filter, totals by a helper.
local Habits = { name = "habits" }

local function count_done(list)
    local n = 0
    for _, habit in ipairs(list) do
        if habit.done then n = n + 1 end
    end
    return n
end

function Habits.state()
    return { habits = {}, only_open = false, next_id = 1 }
end

Habits.apply = {
    add = function(state, action)
        table.insert(state.habits, { id = state.next_id, name = action.name, done = false })
        state.next_id = state.next_id + 1
    end,
    toggle = function(state, action)
        for _, habit in ipairs(state.habits) do
            if habit.id == action.id then habit.done = not habit.done end
        end
    end,
    filter = function(state) state.only_open = not state.only_open end,
    finish = function(state) return { done = count_done(state.habits), all = #state.habits } end,
}

function Habits.render(state, context)
    local rows = {}
    for _, habit in ipairs(state.habits) do
        if not (state.only_open and habit.done) then
            rows[#rows + 1] = {
                name = habit.name,
                done = habit.done,
                toggle = context:sink("toggle", { id = habit.id }),
            }
        end
    end
    return {
        rows = rows,
        add = context:sink("add"),
        filter = context:sink("filter"),
        finish = context:sink("finish"),
    }
end

return Habits
