-- expect cpu-limit or error: a table that is called is itself what is called instead, on a stack that is large already
local mt = {}
local t = setmetatable({}, mt)
mt.__call = t
local function deep(n)
  if n == 0 then return t() end
  local result = deep(n - 1)
  return result
end
return deep(100000)
