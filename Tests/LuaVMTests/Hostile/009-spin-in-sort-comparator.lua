-- expect cpu-limit: a comparator that contradicts itself, swallows what it raises and never lets the sort end
local t = {}
for i = 1, 100000 do t[i] = i end
while true do pcall(table.sort, t, function(a, b) if math.random(2) == 1 then error("no") end return a > b end) end
