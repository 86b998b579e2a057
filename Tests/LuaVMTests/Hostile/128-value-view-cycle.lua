-- expect convert-error: a cycle through 120 tables, one below the deepest that is taken
local first = {}
local t = first
for i = 1, 120 do t.next = {} t = t.next end
t.next = first
return first
