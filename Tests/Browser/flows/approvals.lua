-- Requests that somebody approves or rejects; a rejection has a reason.
local Approvals = {}

function Approvals.state()
    return {
        waiting = {
            { id = 7, who = "Tomás", what = "Train to Lisbon", amount = 184.2, urgent = true },
            { id = 9, who = "Mira", what = "Desk lamp", amount = 39.9, urgent = false },
            { id = 12, who = "Ngozi", what = "Course on sails and rigging, two weekends", amount = 1260, urgent = false },
        },
        decided = {},
    }
end

local function decide(state, id, verdict, reason)
    for index, request in ipairs(state.waiting) do
        if request.id == id then
            table.remove(state.waiting, index)
            local decided = { what = request.what, amount = request.amount, verdict = verdict, reason = reason }
            table.insert(state.decided, 1, decided)
            return
        end
    end
end

Approvals.apply = {
    approve = function(state, action) decide(state, action.id, "approved") end,
    reject = function(state, action)
        assert(action.reason and #action.reason > 3, "please give a reason")
        decide(state, action.id, "rejected", action.reason)
    end,
    done = function(state) return { decided = #state.decided } end,
}

function Approvals.render(state, context)
    local rows = {}
    for index, request in ipairs(state.waiting) do
        rows[index] = {
            who = request.who,
            what = request.what,
            amount = request.amount,
            urgent = request.urgent,
            approve = context:sink("approve", { id = request.id }),
            reject = context:sink("reject", { id = request.id }),
        }
    end
    return {
        ["$view"] = { format = { amount = "money EUR" } },
        title = #rows == 0 and "Nothing waits" or "Requests",
        waiting = rows,
        decided = state.decided,
        done = #rows == 0 and context:sink("done") or nil,
    }
end

return Approvals
