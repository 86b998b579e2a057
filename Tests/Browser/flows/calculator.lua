-- A pocket calculator.
local Calculator = {}

local keys = {
    { "7", "8", "9", "÷" },
    { "4", "5", "6", "×" },
    { "1", "2", "3", "−" },
    { "0", ".", "=", "+" },
}

local functions = {
    ["+"] = function(a, b) return a + b end,
    ["−"] = function(a, b) return a - b end,
    ["×"] = function(a, b) return a * b end,
    ["÷"] = function(a, b)
        assert(b ~= 0, "there is no division by zero")
        return a / b
    end,
}

function Calculator.state() return { shown = "0", fresh = true } end

Calculator.apply = {
    press = function(state, action)
        local key = action.key
        if key:match("[%d.]") then
            state.shown = state.fresh and key or state.shown .. key
            state.fresh = false
            return
        end
        local value = tonumber(state.shown)
        if state.waiting then value = functions[state.waiting](state.kept, value) end
        state.kept, state.shown, state.fresh = value, string.format("%.10g", value), true
        state.waiting = key ~= "=" and key or nil
    end,
    clear = function(state)
        state.shown, state.fresh, state.kept, state.waiting = "0", true, nil, nil
    end,
    done = function(state) return { result = tonumber(state.shown) } end,
}

function Calculator.render(state, context)
    local rows = {}
    for y, row in ipairs(keys) do
        rows[y] = {}
        for x, key in ipairs(row) do
            rows[y][x] = { key = key, press = context:sink("press", { key = key }) }
        end
    end
    return {
        title = state.shown,
        keys = rows,
        clear = context:sink("clear"),
        done = context:sink("done"),
    }
end

return Calculator
