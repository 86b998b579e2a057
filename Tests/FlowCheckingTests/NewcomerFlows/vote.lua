-- Votes by name: a record with computed keys, and who votes.
local workflow = require "workflow"

local Vote = {}

function Vote.state(props, context)
    return { votes = workflow.record(), owner = context.principal, closed = false }
end

function Vote.access(principal, what, state)
    return what["do"] ~= "send" or principal.name == state.owner or not state.closed
end

Vote.apply = {
    vote = function(state, action, context)
        local voter = context.principal or action.name or "nobody"
        state.votes[voter] = action.choice
    end,
    close = function(state, _, context)
        state.closed = true
        state.closed_at = context.now
        return { votes = state.votes }
    end,
}

function Vote.render(state, context)
    local sums = {}
    for _, choice in pairs(state.votes) do sums[choice] = (sums[choice] or 0) + 1 end
    return {
        sums = next(sums) and sums or workflow.record(),
        closed_at = state.closed_at,
        vote = not state.closed and context:sink("vote") or nil,
        close = context:sink("close"),
    }
end

return Vote
