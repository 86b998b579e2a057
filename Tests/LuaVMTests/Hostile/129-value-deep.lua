-- expect convert-error: nested deeper than is taken; the path stays short
local t = {}
for i = 1, 100000 do t = { nested = t } end
return t
