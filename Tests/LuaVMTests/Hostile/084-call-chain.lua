-- expect error or ok or cpu-limit: a chain of __call over tables, which only a call follows
local f = function() return "end" end
for i = 1, 10000 do f = setmetatable({}, { __call = f }) end
return f()
