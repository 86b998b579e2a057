-- expect n nil: a numeral of megabytes in base 36
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s = ('z'):rep(20000000)
for i = 1, 50 do state.n = tostring(tonumber(s, 36)) end
end } }
