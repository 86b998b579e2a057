-- expect n true: a metatable that is made weak later, whose own metamethods would be collected
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local weak = {} local mt = setmetatable({}, weak) local t = setmetatable({}, mt) weak.__mode = 'v'
mt.__newindex = {} for i = 1, 200000 do mt.__newindex[i] = {} end t[1] = 2 state.n = t[1] == 2
end } }
