-- expect n 3: tables as keys that are removed while next walks
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local t = { [{}] = 1, [{}] = 2, [{}] = 3 }
for k in next, t do t[k] = nil state.n = state.n + 1 end
end } }
