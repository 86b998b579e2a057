-- expect cpu-limit: a tree of coroutines, each of which catches what the one inside it raised and goes on
local function body() while true do pcall(coroutine.wrap(body)) end end
while true do pcall(coroutine.wrap(body)) end
