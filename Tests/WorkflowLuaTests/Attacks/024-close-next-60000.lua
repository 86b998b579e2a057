-- expect time: unwinding calls next, which looks through a large table, 60,000 times
return { name = 'a', state = { n = 0 },
 render = function(state, context) return { n = state.n } end,
 apply = { go = function(state, action, context)
local obj = {} for i = 1, 300000 do obj[i + 0.5] = true end
setmetatable(obj, { __close = next })
local function f(n) local x <close> = obj; if n > 0 then f(n - 1) else error('zzz') end; return n end
state.n = select('#', pcall(f, 60000))
end } }
