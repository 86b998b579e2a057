-- Evades all limits of Lua: one assignment has a table grow to a size at which all its keys fall into one place, which
-- takes minutes within a single instruction. The table is made before, as a busy machine may stop that in time.
local places, keys, count = (1 << 18) - 1, {}, 1 << 17
local function fill()
    if next(keys) then return end
    for i = 1, count do keys[i * places] = true end
end

return {
    name = "stall",
    state = function() return { count = 0 } end,
    apply = {
        add = function(state)
            fill()
            state.count = state.count + 1
        end,
        stall = function(state)
            fill()
            keys[(count + 1) * places] = true
            state.count = -1
        end,
    },
    render = function(state) return { count = state.count } end,
}
