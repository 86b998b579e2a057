-- expect ok: string functions at both ends of what an integer holds
local edges = { 0, 1, -1, 2, math.maxinteger, math.mininteger, math.maxinteger - 1, 1 << 32, -(1 << 32) }
local n = 0
for _, i in ipairs(edges) do
  for _, j in ipairs(edges) do
    for _, f in ipairs { string.sub, string.byte, string.find, string.unpack } do
      if pcall(f, "abc", i, j) then n = n + 1 end
    end
    pcall(string.find, "abc", "b", i, true) pcall(string.gmatch, "abc", ".", i) pcall(string.gsub, "abc", ".", "x", i)
    pcall(string.pack, "i" .. tostring(i), j) pcall(string.unpack, "s" .. tostring(i), "abc", j) pcall(string.format, "%" .. tostring(i) .. "d", j)
    pcall(select, i, j) pcall(table.pack, i, j) pcall(table.unpack, { 1 }, i, j) pcall(table.insert, { 1 }, i, j) pcall(math.random, i, j)
  end
end
return n > 0
