-- expect time: a closing value whose handler is a function that resumes a coroutine over a gmatch iterator
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local T = (('a'):rep(70) .. 'bd'):rep(50000)
local o = setmetatable({}, { __close = coroutine.wrap(function() while true do T:find('a*a*a*c') coroutine.yield() end end) })
local function f(n) local x <close> = o; if n > 0 then f(n - 1) else error('zzz') end; return n end
while true do pcall(f, 20000) end
end } }
