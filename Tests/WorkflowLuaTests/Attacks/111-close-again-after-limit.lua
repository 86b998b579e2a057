-- expect n false: a handler meets the limit while a suspended coroutine is closed, which is closed again
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.create(function() local x <close> = endless coroutine.yield() end)
coroutine.resume(co)
coroutine.close(co)
end,
 go = function(state)
state.n = tostring(coroutine.close(co))
end } }
