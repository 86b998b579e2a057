-- expect n false false: the same, closed from the inside
local inner, outer
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
inner = coroutine.create(function() local x <close> = endless while true do end end)
outer = coroutine.wrap(function() local x <close> = endless coroutine.resume(inner) end)
outer()
end,
 go = function(state)
state.n = tostring(coroutine.close(inner)) .. ' ' .. tostring(pcall(outer))
end } }
