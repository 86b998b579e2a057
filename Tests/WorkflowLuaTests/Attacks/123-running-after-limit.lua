-- expect n false: a coroutine that is known only by coroutine.running
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
coroutine.wrap(function()
  co = coroutine.running()
  local x <close> = endless
  while true do end
end)()
end,
 go = function(state)
state.n = tostring(coroutine.close(co))
end } }
