-- expect time: string.pack does the same
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s, t = ('0'):rep(60000) .. '1', {}
for i = 1, 60000 do t[i] = s end
while true do pcall(string.pack, ('b'):rep(60000), table.unpack(t)) end
end } }
