-- expect time: print calls an iterator of gmatch by `__tostring`
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local T = (('a'):rep(70) .. 'bd'):rep(100000)
local o = setmetatable({}, { __tostring = T:gmatch('(a*a*a*)d') })
local t = {} for i = 1, 90000 do t[i] = o end
while true do pcall(print, table.unpack(t)) end
end } }
