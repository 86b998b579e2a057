-- expect time: coroutine.close runs what is pending in a coroutine, 90,000 iterators of gmatch
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local T = (('a'):rep(70) .. 'bd'):rep(100000)
local o = setmetatable({}, { __close = T:gmatch('a*a*a*d') })
local function f(n) local x <close> = o; if n > 0 then f(n - 1) else coroutine.yield() end; return n end
while true do local co = coroutine.create(f) coroutine.resume(co, 90000) coroutine.close(co) end
end } }
