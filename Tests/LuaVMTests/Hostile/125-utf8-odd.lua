-- expect ok: the functions of utf8 on bytes that are none, and at both ends of what an integer holds
local bad = { "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf8\x88\x80\x80\x80", "a\x80", "\u{7FFFFFFF}", "" }
local n = 0
for _, s in ipairs(bad) do
  for _, i in ipairs { 0, 1, -1, math.maxinteger, math.mininteger, 2 } do
    for _, f in ipairs { utf8.len, utf8.codepoint, utf8.offset, utf8.char } do if pcall(f, s, i) then n = n + 1 end end
    pcall(utf8.char, i)
  end
  pcall(function() for _ in utf8.codes(s) do n = n + 1 end end)
end
return n > 0
