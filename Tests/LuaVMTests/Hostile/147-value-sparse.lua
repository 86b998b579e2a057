-- expect cpu-limit: a table with room for much and nothing in it, at many places of a value
local empty = {}
for i = 1, 200000 do empty[-i] = i end
for i = 1, 200000 do empty[-i] = nil end
local out = {}
for i = 1, 100000 do out[i] = empty end
return out
