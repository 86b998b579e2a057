-- What is slow to compute is kept for the next render; it is always the same.
local primes = { 2, 3 }

local function prime(n)
    while #primes < n do
        local candidate = primes[#primes] + 2
        local is_prime = true
        for _, p in ipairs(primes) do
            if candidate % p == 0 then
                is_prime = false
                break
            end
        end
        if is_prime then
            primes[#primes + 1] = candidate
        else
            local after = candidate
            repeat
                after = after + 2
                local found = true
                for _, p in ipairs(primes) do
                    if after % p == 0 then found = false end
                end
            until found
            primes[#primes + 1] = after
        end
    end
    return primes[n]
end

local Primes = { state = { n = 1 } }
Primes.apply = {
    next = function(state) state.n = state.n + 1 end,
    go = function(state, action) state.n = math.max(1, math.floor(action.to)) end,
}
function Primes.render(state, context)
    return { text = state.n .. ": " .. prime(state.n), next = context:sink("next"),
        go = context:sink("go") }
end

return Primes
