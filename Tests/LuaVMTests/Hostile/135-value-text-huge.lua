-- expect convert-error or memory-limit: one text beyond the size of a value, shared a hundred times
local s = ("x"):rep(1 << 20)
local t = {}
for i = 1, 100 do t[i] = s end
return t
