-- expect memory-limit or cpu-limit: what the memory limit raises is caught in every way, and more is asked for
local kept = {}
local function more() for i = 1, 1e9 do kept[#kept + 1] = ("x"):rep(100000) .. i end end
while true do
  pcall(more)
  xpcall(more, more)
  pcall(coroutine.wrap(more))
end
