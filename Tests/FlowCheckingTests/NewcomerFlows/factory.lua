-- A function that makes definitions, and a definition of its making.
local function counter(name, first, step)
    local Counter = { name = name }
    function Counter.state() return { n = first } end
    Counter.apply = {
        up = function(state) state.n = state.n + step end,
        down = function(state) state.n = state.n - step end,
    }
    function Counter.render(state, context)
        return { n = state.n, up = context:sink("up"), down = context:sink("down") }
    end
    return Counter
end

local Slow = counter("slow", 0, 1)
local Fast = counter("fast", 100, 10)

return {
    name = "factory",
    render = function(_, context)
        return { slow = context:render(Slow), fast = context:render(Fast) }
    end,
}
