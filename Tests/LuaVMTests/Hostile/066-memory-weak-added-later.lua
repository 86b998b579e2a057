-- expect ok or memory-limit: a table made weak after setmetatable has seen its metatable, whose __newindex is collected by the emergency collection of its own growth (use after free, Lua 5.4.0 to 5.4.7)
local weak = {}
local mt = setmetatable({}, weak)
local t = setmetatable({}, mt)
weak.__mode = "v"
local target = {}
mt.__newindex = target
for i = 1, 1 << 20 do target[i + 0.5] = true end
target = nil
t[0.25] = true
return "survived"
