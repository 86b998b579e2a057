-- expect memory-limit or error: format with the widest fields, joined without end
local s = ""
while true do s = s .. ("%-99d%99.99f%s"):format(1, 1e308, s) end
