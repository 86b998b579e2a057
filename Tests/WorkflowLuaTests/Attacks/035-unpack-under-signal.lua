-- expect time: many arguments under the same
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local a = {} for i = 1, 200 do a[i] = i end
local function f(...) return select('#', ...), ... end
while true do pcall(f, table.unpack(a)) pcall(f, table.unpack(a, 1, 100000)) end
end } }
