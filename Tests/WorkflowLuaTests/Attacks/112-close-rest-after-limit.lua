-- expect n false 0: the second handler of a coroutine whose first one met the limit
local co
local ran = 0
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.create(function()
  local x <close> = setmetatable({}, { __close = function() ran = ran + 1 while true do end end })
  local y <close> = endless
  coroutine.yield()
end)
coroutine.resume(co)
coroutine.close(co)
end,
 go = function(state)
state.n = tostring(coroutine.close(co)) .. ' ' .. ran
end } }
