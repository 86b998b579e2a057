-- expect time: a coroutine that the limit ended is closed in the same call
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end end)
pcall(coroutine.resume, co)
pcall(coroutine.close, co)
while true do pcall(coroutine.close, co) end
end } }
