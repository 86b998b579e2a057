-- expect ok: whole numbers as floats are the same keys; a list may be built backwards and from the middle
local t = {}
for i = 100, 1, -1 do t[i + 0.0] = i end
local u = { [2] = "b" } u[1] = "a" u[3.0] = "c"
return { t, u, #t }
