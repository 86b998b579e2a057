-- expect ok: captures that are never closed, closed twice or referred to before they are there are errors
local bad = { "(", ")", "(()", "%1", "(%1)", "(a)%2", "(((((((((((((((((((((((((((((((((", "%f", "%b", "%bx", "[", "[^", "[]", "[%", "%" }
local out = {}
for i, p in ipairs(bad) do out[i] = pcall(string.match, "a(b)c", p) and pcall(string.gsub, "aa", p, "%1") end
return #out
