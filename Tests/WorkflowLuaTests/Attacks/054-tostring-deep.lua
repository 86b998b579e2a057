-- expect n 197: how deep calls of tostring nest
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local n = 0 local o o = setmetatable({}, { __tostring = function() n = n + 1 return tostring(o) end }) pcall(tostring, o) state.n = n
end } }
