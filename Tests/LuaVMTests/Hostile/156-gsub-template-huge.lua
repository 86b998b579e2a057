-- expect cpu-limit: a replacement of millions of empty captures, which makes no text
local template = ("%1"):rep(5000000)
return #(("a"):rep(200)):gsub("(x*)", template)
