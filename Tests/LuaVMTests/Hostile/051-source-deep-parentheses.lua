-- expect error or denied: parentheses, calls and indexes nest in the compiler
if not load then return "denied" end
for _, s in ipairs { ("("):rep(20000) .. "1" .. (")"):rep(20000), "f" .. ("{"):rep(20000), ("f("):rep(20000), ("-"):rep(30000) .. "1" } do
  if load("return " .. s) then return "LEAK: compiled" end
end
error("refused")
