-- expect time: string.format does the same
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s, t = ('0'):rep(60000) .. '1', {}
for i = 1, 4000 do t[i] = s end
while true do pcall(string.format, ('%d'):rep(4000), table.unpack(t)) end
end } }
