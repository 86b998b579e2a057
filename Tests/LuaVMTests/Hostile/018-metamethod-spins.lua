-- expect cpu-limit: metamethods of every kind that loop, below functions written in C
local spin = function() while true do end end
local t = setmetatable({}, { __index = spin, __eq = spin, __lt = spin, __concat = spin, __len = spin, __call = spin, __tostring = spin, __pairs = spin })
pcall(function() return t .. "x" end)
pcall(function() return ("x"):gsub("x", t) end)
for _ in pairs(t) do end
