-- expect error or denied: more upvalues than a function may have
if not load then return "denied" end
local text = {}
for i = 1, 190 do text[#text + 1] = "local a" .. i .. "=1 " end
text[#text + 1] = "local function f() "
for i = 1, 190 do text[#text + 1] = "local b" .. i .. "=1 " end
text[#text + 1] = "return function() return 0"
for i = 1, 190 do text[#text + 1] = "+a" .. i .. "+b" .. i end
error(load(table.concat(text) .. " end end") and "compiled" or "refused")
