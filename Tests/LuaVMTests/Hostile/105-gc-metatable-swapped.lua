-- expect error or denied: __gc by every way to set a metatable
local mt = {}
local t = setmetatable({}, mt)
mt.__gc = function() while true do end end
setmetatable(t, nil)
local ok, message = pcall(setmetatable, t, mt)
if ok then return "LEAK: __gc" end
for i = 1, 10000 do local _ = { {} } end
error(message)
