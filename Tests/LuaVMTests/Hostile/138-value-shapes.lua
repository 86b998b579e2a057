-- expect ok: records of many shapes with shared keys, in every order, nested in each other
local function make(n, depth)
  local t = {}
  for i = 1, 14 do
    local k = "key" .. (i * n) % 17
    t[k] = depth > 0 and i == n and make(n % 13 + 1, depth - 1) or i
  end
  return t
end
local out = {}
for n = 1, 14 do out[n] = make(n, 6) end
return out
