-- expect ok: what rep gives is made of its arguments alone, also when the text is empty
local sep = ("s"):rep(5000)
local out = ("").rep("", 2, sep)
return { out == sep, ("").rep("", 3, "ab") == "abab", ("").rep("", 1, sep) == "", ("x").rep("x", 2, "") == "xx" }
