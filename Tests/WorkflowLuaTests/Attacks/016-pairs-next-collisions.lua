-- expect time or ok: walking keys that all fall on one place of a table takes quadratic time
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local t = {} for i = 1, 12000 do t[-i * ((1 << 16) - 1) * ((1 << 14) - 1) * ((1 << 13) - 1)] = i end
for i = 1, 30 do for k in pairs(t) do break end next(t) end state.n = 1
end } }
