-- expect n false: a coroutine that a limit ended is resumed again
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.create(function()
  local x <close> = endless
  while true do end
end)
coroutine.resume(co)
end,
 go = function(state)
state.n = tostring(coroutine.resume(co))
end } }
