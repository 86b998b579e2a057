-- expect error: three numerals of megabytes
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s = '0x' .. ('0'):rep(20000000) .. '.8'
for i = 1, 50 do table.move({}, s, s, s) end
end } }
