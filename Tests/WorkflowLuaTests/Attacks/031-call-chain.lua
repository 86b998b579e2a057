-- expect refused: a table whose `__call` is a table, and so on: Lua moves all arguments at each step and runs nothing
local t = print
for i = 1, 3000 do t = setmetatable({}, { __call = t }) end
local self = setmetatable({}, {}) getmetatable(self).__call = self
return { name = 'a', state = { n = 0 }, render = function(state) return { n = state.n } end,
 apply = { go = function(state, action) local a = {} for i = 1, (action.n or 10) do a[i] = i end while true do pcall(self, table.unpack(a)) end end } }
