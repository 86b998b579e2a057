-- expect n false: a coroutine with a pending handler, in which the closing value of a loop
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.create(function()
  local x <close> = endless
  for _ in function() while true do end end, nil, nil, endless do end
end)
coroutine.resume(co)
end,
 go = function(state)
state.n = tostring(coroutine.close(co))
end } }
