-- expect n false: a rendering closes what a limit ended
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = co and tostring(coroutine.close(co)) or 0 } end,
 apply = { arm = function()
co = coroutine.create(function()
  local x <close> = endless
  while true do end
end)
coroutine.resume(co)
end,
 go = function(state)
state.n = 1
end } }
