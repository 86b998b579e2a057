-- expect cpu-limit: the closing value of a generic for loops when the limit unwinds it, and again in each outer loop
local function nested(n)
  local guard = setmetatable({}, { __close = function() while true do end end })
  for _ in next, { 1 }, nil, guard do if n > 0 then nested(n - 1) else while true do end end end
end
pcall(nested, 50)
