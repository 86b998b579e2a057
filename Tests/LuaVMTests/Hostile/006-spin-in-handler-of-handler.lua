-- expect cpu-limit: handlers of handlers, each of which loops or raises again
local function handler(m) return select(2, xpcall(function() while true do end end, handler)) end
xpcall(function() error("x") end, handler)
while true do pcall(xpcall, error, handler, "y") end
