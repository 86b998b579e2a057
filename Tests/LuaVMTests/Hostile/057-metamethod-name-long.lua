-- expect error: names that are very long, or hold control characters, in every place that a message shows
local long = ("n"):rep(1 << 20) .. "\27[31m\0"
local t = setmetatable({}, { __name = long })
pcall(function() return t + 1 end)
pcall(error, t)
local fields = { [long] = { [long] = long } }
error(long, 0)
