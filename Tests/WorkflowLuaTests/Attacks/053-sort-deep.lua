-- expect n 198: how deep calls of sort nest
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local n = 0 local function f() n = n + 1 table.sort({ 2, 1 }, f) return false end pcall(f) state.n = n
end } }
