-- expect memory-limit: a text that grows in a buffer of C, not in a table
local s = ("x"):rep(1000)
while true do s = s:gsub(".", "%0%0") end
