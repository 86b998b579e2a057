-- expect n false: the same for the limit of memory
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.create(function()
  local x <close> = endless
  pcall(function() local t = {} while true do t[#t + 1] = {} end end)
end)
coroutine.resume(co)
end,
 go = function(state)
state.n = tostring(coroutine.close(co))
end } }
