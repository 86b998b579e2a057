-- expect time: gsub looks up each match through two thousand tables
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local t = {} for i = 1, 1900 do t = setmetatable({}, { __index = t }) end
local s = ('x'):rep(1000000)
while true do s:gsub('.', t) end
end } }
