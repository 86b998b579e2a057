-- expect ok or error or memory-limit or cpu-limit: fields that come and go while they are walked
local t = {}
for i = 1, 1000 do t["k" .. i], t[i] = i, i end
local n = 0
for k in pairs(t) do n = n + 1 t[k] = nil t["new" .. n] = n if n > 5000 then break end end
for k in next, t do t[k] = nil end
for k in pairs(t) do t[k] = nil t[k .. "x"] = 1 if n > 10000 then break end n = n + 1 end
pcall(next, t, "not there")
return n > 0
