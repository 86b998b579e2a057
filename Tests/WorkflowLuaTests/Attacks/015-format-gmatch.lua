-- expect time: so does string.format, by `__tostring`
return { name = 'a', state = { n = 0 },
 render = function(state, context) return { n = state.n } end,
 apply = { go = function(state, action, context)
local T = (('a'):rep(25) .. 'bd'):rep(200000)
local iter = T:gmatch('a*a*a*d')
local o = setmetatable({}, { __tostring = iter })
local t = {} for i = 1, 90000 do t[i] = o end
state.n = #string.format(('%s'):rep(90000), table.unpack(t))
end } }
