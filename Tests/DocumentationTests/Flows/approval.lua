-- props: { amount, account, bank = URL, deadline = seconds, pause = seconds }
local Approval = { name = "approval" }

function Approval.state(_, context)
    return { status = "waiting", clerk = context.principal, urgent = false, tries = 0 }
end

function Approval.access(principal, what, state)
    local role, verb = principal.claims.role, what["do"]
    if verb == "create" then return role == "clerk" end
    if verb == "read" or verb == "follow" then return role == "manager" or principal.name == state.clerk end
    local type = verb == "send" and what.action.type
    return role == "manager" and (type == "approve" or type == "reject")
end

Approval.apply = {
    approve = function(state, _, context)
        if state.status ~= "waiting" then error("it is decided already", 0) end
        state.status = "paying"
        state.manager = context.principal
    end,
    reject = function(state, _, context)
        if state.status ~= "waiting" then error("it is decided already", 0) end
        state.status = "rejected"
        state.manager = context.principal
    end,
    escalate = function(state) state.urgent = true end,
    answered = function(state, action)
        state.tries = state.tries + 1
        if action.output.status == 200 then
            state.status = "paid"
        else
            state.problem = "the bank answered " .. action.output.status
            state.pausing = true
        end
    end,
    failed = function(state, action)
        state.tries = state.tries + 1
        state.problem = action.error.message
        state.pausing = true
    end,
    retry = function(state) state.pausing = false end,
}

function Approval.render(state, context)
    local props = context.props
    local screen = { status = state.status, amount = props.amount, manager = state.manager, problem = state.problem }
    if state.status == "waiting" then
        screen.urgent = state.urgent
        screen.approve, screen.reject = context:sink("approve"), context:sink("reject")
        if not state.urgent then
            context:run("clock.after", { seconds = props.deadline or 86400 }, { on_output = "escalate" })
        end
    elseif state.status == "paying" and state.pausing then
        context:run("clock.after", { seconds = props.pause or 30 }, { key = state.tries, on_output = "retry" })
    elseif state.status == "paying" then
        local order = { amount = props.amount, account = props.account }
        context:run("http.post", { url = props.bank, json = order },
            { key = state.tries, on_output = "answered", on_error = "failed" })
    end
    return screen
end

return Approval
