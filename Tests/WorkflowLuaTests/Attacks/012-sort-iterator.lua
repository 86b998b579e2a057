-- expect time: sort compares by an iterator of gmatch
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local T = (('a'):rep(70) .. 'bd'):rep(100000)
local t = {} for i = 1, 50000 do t[i] = i end
while true do pcall(table.sort, t, T:gmatch('a*a*a*d')) end
end } }
