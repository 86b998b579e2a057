-- expect n 1: `__call` becomes the table itself once it is in force; what was taken over stays
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local mt = { __call = function() return 1 end }
local self = setmetatable({}, mt) mt.__call = self getmetatable(self).__call = self
state.n = self()
end } }
