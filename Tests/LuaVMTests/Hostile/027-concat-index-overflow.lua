-- expect ok: ranges that end at the largest integer must end, and not wrap around
local t = { [math.maxinteger] = "end", [math.maxinteger - 1] = "near" }
local text = table.concat(t, "-", math.maxinteger - 1, math.maxinteger)
local a, b = table.unpack(t, math.maxinteger - 1, math.maxinteger)
local moved = table.move(t, math.maxinteger - 1, math.maxinteger, 1, {})
return { text, a, b, moved }
