-- expect convert-error: tables that pretend to be the host's
local t = setmetatable({}, { __metatable = false })
return { a = {}, t = t }
