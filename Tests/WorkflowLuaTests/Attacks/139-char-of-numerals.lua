-- expect time: string.char reads hundreds of thousands of long numerals
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s, t = ('0'):rep(60000) .. '65', {}
for i = 1, 200000 do t[i] = s end
return string.char(table.unpack(t))
end } }
