-- expect n false: a wrapped coroutine that a limit ended is called again
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.wrap(function()
  local x <close> = endless
  while true do end
end)
co()
end,
 go = function(state)
state.n = tostring(pcall(co))
end } }
