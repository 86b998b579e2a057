-- expect cpu-limit: a set of ten million characters, which is looked through for each character of the text
local set = "[" .. ("b"):rep(10000000) .. "]"
return (("a"):rep(2000)):find(set)
