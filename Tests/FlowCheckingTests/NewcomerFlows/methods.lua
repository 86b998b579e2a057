-- A class in a module of its own; the state keeps its fields only.
local Account = require "lib.account"

local Bank = {}

function Bank.state(props) return { account = Account.fields(props.owner or "nobody") } end

Bank.apply = {
    deposit = function(state, action)
        local account = Account.of(state.account)
        account:deposit(action.amount)
    end,
    withdraw = function(state, action)
        local account = Account.of(state.account)
        if not account:withdraw(action.amount) then return { refused = action.amount } end
    end,
}

function Bank.render(state, context)
    local account = Account.of(state.account)
    return {
        text = account:text(),
        deposit = context:sink("deposit", { amount = 10 }),
        withdraw = context:sink("withdraw", { amount = 10 }),
    }
end

return Bank
