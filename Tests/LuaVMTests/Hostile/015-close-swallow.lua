-- expect cpu-limit: __close handlers that run while the limit unwinds, and loop, and catch
local mt = { __close = function() pcall(function() while true do end end) while true do end end }
local function f() local a <close>, n = setmetatable({}, mt), 0 while true do n = n + 1 end end
while true do pcall(f) end
