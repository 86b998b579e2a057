-- expect ok: arithmetic at both ends of what an integer holds
local min, max = math.mininteger, math.maxinteger
local out = { max + 1 == min, min - 1 == max, -min == min, min // -1 == min, min % -1, max * 2, 1 << 63 == min, 1 << 64, 1 >> -1, min >> 63, -1 >> 1 == max }
pcall(function() return min // 0 end)
pcall(function() return min % 0 end)
for i = max - 2, max do out[#out + 1] = i end
for i = min, min + 2 do out[#out + 1] = i end
for i = max, max - 1, -1 do out[#out + 1] = i end
return { #out, math.fmod(min, -1), math.abs(min), math.ult(min, max), math.tointeger(2.0 ^ 63) == nil }
