-- expect memory-limit or cpu-limit: ephemerons and weak values, made so after setmetatable
local modes = {}
local tables = {}
for i, mode in ipairs { "k", "v", "kv" } do
  modes[i] = {}
  tables[i] = setmetatable({}, modes[i])
  modes[i].__mode = mode
end
local keep = {}
for i = 1, math.huge do
  local key = { i }
  for _, t in ipairs(tables) do t[key] = { key } end
  if i % 3 == 0 then keep[#keep + 1] = key end
end
