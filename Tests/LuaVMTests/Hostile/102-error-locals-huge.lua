-- expect error or cpu-limit: locals that are huge, deep, cyclic and odd are described in few words
local cycle = {}
cycle[1], cycle.self = cycle, cycle
local deep = {}
for i = 1, 100000 do deep = { deep } end
local wide, text = {}, ("é"):rep(1 << 20) .. "\xff"
for i = 1, 100000 do wide["k" .. i] = i end
local odd = setmetatable({ [1.5] = 1, [true] = 2, [cycle] = 3 }, { __tostring = function() error("asked") end, __len = function() error("asked") end })
local nan, inf, min = 0 / 0, 1 / 0, math.mininteger
error("look at the locals")
