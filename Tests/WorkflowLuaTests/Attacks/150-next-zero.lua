-- expect n 2: the key 0 is not the beginning
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
for k in next, { [0] = 'a', 'b' } do state.n = state.n + 1 end
end } }
