-- expect memory-limit: one table that doubles, in its hash part
local t = {}
for i = 1, math.huge do t[i + 0.5] = i end
