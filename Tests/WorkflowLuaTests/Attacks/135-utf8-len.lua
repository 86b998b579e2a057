-- expect time: the length of megabytes, counted as characters
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local s = ('é'):rep(10000000)
while true do pcall(utf8.len, s) end
end } }
