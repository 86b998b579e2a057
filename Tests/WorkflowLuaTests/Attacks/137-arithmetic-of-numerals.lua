-- expect error: arithmetic with a numeral of megabytes
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s = '0x' .. ('f'):rep(20000000) .. '.8'
for i = 1, 50 do local n = s + s end
end } }
