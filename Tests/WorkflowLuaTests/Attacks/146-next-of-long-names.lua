-- expect time: next compares long names that are alike
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local long, t = ('n'):rep(50000), {}
for i = 1, 400 do t[long .. i] = i end
while true do for k in next, t do end end
end } }
