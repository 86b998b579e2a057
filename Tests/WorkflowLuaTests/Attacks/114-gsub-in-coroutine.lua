-- expect n false: a coroutine with a pending handler, in which the callback of gsub met the limit
local co
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
co = coroutine.create(function()
  local x <close> = endless
  string.gsub('abc', '.', function() while true do end end)
end)
coroutine.resume(co)
end,
 go = function(state)
state.n = tostring(coroutine.close(co))
end } }
