-- expect time: utf8.char does the same
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s, t = ('0'):rep(60000) .. '65', {}
for i = 1, 200000 do t[i] = s end
return utf8.char(table.unpack(t))
end } }
