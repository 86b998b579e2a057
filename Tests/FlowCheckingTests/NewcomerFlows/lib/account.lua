local Account = {}
Account.__index = Account

function Account.fields(owner) return { owner = owner, balance = 0 } end

-- A proxy, so that the state itself has no metatable.
function Account.of(fields) return setmetatable({ fields = fields }, Account) end

function Account:deposit(amount) self.fields.balance = self.fields.balance + amount end

function Account:withdraw(amount)
    if amount > self.fields.balance then return false end
    self.fields.balance = self.fields.balance - amount
    return true
end

function Account:text()
    return ("%s has %d"):format(self.fields.owner, self.fields.balance)
end

return Account
