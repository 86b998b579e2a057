-- expect memory-limit or cpu-limit or error: to-be-closed variables without end, in coroutines that are kept
local mt = { __close = function() end }
local kept = {}
for i = 1, math.huge do
  local co = coroutine.wrap(function() local a <close>, b = setmetatable({}, mt), {} coroutine.yield(b) end)
  co()
  kept[i] = co
end
