-- expect error or denied: right-associative operators nest in the compiler
if not load then return "denied" end
return load("return " .. ("'a' .. "):rep(6000) .. "'a'") and error("compiled") or error("refused")
