-- expect n false: the same for the limit of print
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.create(function()
  local x <close> = endless
  local s = ('x'):rep(100000) while true do print(s) end
end)
coroutine.resume(co)
end,
 go = function(state)
state.n = tostring(coroutine.close(co))
end } }
