-- expect time or memory: string.format quotes many texts of zeros
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s, t = ('\0'):rep(65000), {}
for i = 1, 450 do t[i] = s end
local form = ('%q'):rep(450)
while true do pcall(string.format, form, table.unpack(t)) end
end } }
