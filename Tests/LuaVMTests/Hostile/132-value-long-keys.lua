-- expect convert-error or memory-limit: keys of megabytes, with control characters, in a path
local key = ("k"):rep(1 << 20) .. "\27[31m"
return { [key] = { [key .. "2"] = { print } } }
