-- expect n 500: a table that is made weak after setmetatable shows when memory is collected
local m = {}
local t = setmetatable({}, m)
m.__mode = 'k'
local function count() local c = 0 for k in pairs(t) do c = c + 1 end return c end
return { name = 'a', state = { n = 0 }, render = function(state, context) return { n = state.n,  } end,
 apply = { go = function(state, action) for i = 1, 500 do t[{}] = i end state.n = count() end, nop = function() end } }
