-- expect error: a message that begins with the place of a frame, once and again, and levels that are not there
local function raise() error("t.lua:1: t.lua:2: /etc/passwd:3: not from here", 0) end
for level = -1, 300 do pcall(error, "x", level) end
pcall(error, "x", math.maxinteger)
pcall(error, "x", math.mininteger)
raise()
