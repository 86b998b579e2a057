-- expect ok or error or cpu-limit: a table whose border is the largest integer; what comes after it does not exist
local t = { [math.maxinteger] = 1 }
for i = 0, 62 do t[1 << i], t[(1 << i) + 1] = 1, 1 end
local r = {}
for i, f in ipairs { table.insert, table.remove, table.unpack, table.concat } do r[i] = pcall(f, t, 1) end
t[math.maxinteger - 1] = 1
r[5] = pcall(table.insert, t, "x")
r[6] = pcall(table.remove, t)
return r
