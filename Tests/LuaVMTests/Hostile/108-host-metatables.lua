-- expect ok: the metatables of the sandbox's own tables and strings cannot be had or set
local out = {}
for _, v in ipairs { "", string, math, table, _ENV, coroutine, utf8 } do
  if type(getmetatable(v)) == "table" then return "LEAK: metatable" end
  if pcall(setmetatable, v, {}) then return "LEAK: setmetatable" end
  if type(v) == "table" and (pcall(rawset, v, "x", 1) or pcall(table.insert, v, 1)) then return "LEAK: rawset" end
end
return { rawget(_ENV, "x") == nil, string.x == nil }
