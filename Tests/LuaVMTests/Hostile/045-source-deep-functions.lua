-- expect error or denied: functions within functions, deeper than the compiler goes
if not load then return "denied" end
return load(("return function() "):rep(3000) .. ("end "):rep(3000)) and "compiled" or error("refused")
