-- expect error or cpu-limit: metamethods that call themselves through C
local mt = {}
mt.__index = function(t, k) return t[k .. "x"] end
mt.__lt = function(a, b) return a < b end
mt.__call = function(self, ...) return self(...) end
local t, u = setmetatable({}, mt), setmetatable({}, mt)
pcall(function() return t < u end)
pcall(function() return t.x end)
return t(1)
