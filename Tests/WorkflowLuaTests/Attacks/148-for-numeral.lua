-- expect time: a loop whose end is a numeral of megabytes
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s = ('0'):rep(20000000) .. '9'
while true do for i = 1, s do break end end
end } }
