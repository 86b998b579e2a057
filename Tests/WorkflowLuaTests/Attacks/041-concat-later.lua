-- expect error: the same, added later
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local mt = {}
local o = setmetatable({}, mt) mt.__concat = function(a, b) return 'x' end
state.n = o .. o .. o
end } }
