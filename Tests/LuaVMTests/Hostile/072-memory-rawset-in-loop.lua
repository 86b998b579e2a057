-- expect memory-limit: records of records, made by functions of C only
local t = {}
for i = 1, math.huge do rawset(t, "key " .. i, table.pack(i, i, i)) end
