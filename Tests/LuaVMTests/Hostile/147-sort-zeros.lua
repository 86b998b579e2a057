-- expect ok or cpu-limit: long strings of zeros are compared
local s = ("\0"):rep(4000000) .. "a"
local list = {}
for i = 1, 64 do list[i] = s end
table.sort(list)
return #list
