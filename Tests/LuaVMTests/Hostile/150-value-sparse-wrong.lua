-- expect cpu-limit or convert-error: the same, with something in it that is no plain value, which is looked for
local empty = {}
for i = 1, 200000 do empty[-i] = i end
for i = 1, 200000 do empty[-i] = nil end
local out = { last = { name = print } }
for i = 1, 100 do
  local inner = {}
  for j = 1, 1000 do inner[j] = empty end
  out["k" .. i] = inner
end
return out
