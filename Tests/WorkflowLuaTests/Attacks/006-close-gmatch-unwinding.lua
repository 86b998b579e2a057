-- expect time: unwinding calls an iterator of gmatch, which runs no instruction, 90,000 times
return { name = 'a', state = { n = 0 },
 render = function(state, context) return { n = state.n } end,
 apply = { go = function(state, action, context)
local T = (('a'):rep(70) .. 'bd'):rep(100000)
local iter = T:gmatch('a*a*a*d')
local o = setmetatable({}, { __close = iter })
local function f(n) local x <close> = o; if n > 0 then f(n - 1) else error('zzz') end; return n end
state.n = select('#', pcall(f, 90000))
end } }
