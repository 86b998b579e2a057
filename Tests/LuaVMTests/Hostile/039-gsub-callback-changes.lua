-- expect ok or memory-limit or cpu-limit: callbacks of gsub that collect, resume and start gsub on the way
local n = 0
local text = ("abc"):rep(50)
local out = text:gsub("%w", function(c)
  n = n + 1
  local co = coroutine.wrap(function() return (text:gsub("a", function() return ("x"):rep(n % 50) end)) end)
  return n % 7 == 0 and co() or false
end, 400)
return #out > 0
