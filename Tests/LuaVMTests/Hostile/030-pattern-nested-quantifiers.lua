-- expect cpu-limit: exponential backtracking in find, match, gmatch and gsub
local s = ("a"):rep(60)
for _, f in ipairs { string.find, string.match, string.gsub } do pcall(f, s, ("a*"):rep(20) .. "b", "") end
for _ in s:gmatch(("a-"):rep(20) .. "b") do end
while true do pcall(string.find, s, (".-"):rep(25) .. "b") end
