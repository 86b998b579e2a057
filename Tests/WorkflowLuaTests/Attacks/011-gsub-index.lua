-- expect time: gsub asks a table, whose `__index` is an iterator of gmatch
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local T = (('a'):rep(70) .. 'bd'):rep(100000)
local o = setmetatable({}, { __index = T:gmatch('a*a*a*d') })
while true do pcall(string.gsub, ('x'):rep(90000), '.', o) end
end } }
