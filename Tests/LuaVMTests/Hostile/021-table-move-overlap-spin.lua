-- expect cpu-limit: moves within one table over the largest ranges, one after the other
local t = { 1 }
while true do pcall(table.move, t, 1, 1 << 40, 2) pcall(table.move, t, math.mininteger, -2, 1) end
