-- Two ways to read a number, and modules of the sandbox.
local Temperature = {}
local unpack = table.unpack or unpack

function Temperature.state(props) return { celsius = props.celsius or 20, unit = "C" } end

Temperature.apply = {
    set = function(state, action)
        local value = tonumber(action.value)
        if not value then error("a number, please", 0) end
        if state.unit == "F" then value = (value - 32) / 1.8 end
        state.celsius = value
    end,
    unit = function(state, action) state.unit = action.unit end,
}

function Temperature.render(state, context)
    local shown = state.unit == "F" and state.celsius * 1.8 + 32 or state.celsius
    local low, high = unpack { 0, 30 }
    return {
        text = ("%.1f °%s"):format(shown, state.unit),
        level = state.celsius < low and "cold" or state.celsius > high and "hot" or "fine",
        set = context:sink("set"),
        units = { context:sink("unit", { unit = "C" }), context:sink("unit", { unit = "F" }) },
    }
end

return Temperature
