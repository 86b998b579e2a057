-- expect error: error objects of all kinds, of which no metamethod is asked
local mt = { __tostring = function() error("asked") end, __name = "odd\0name\27[2J", __index = function() error("asked") end }
for _, object in ipairs { true, 1.5, print, coroutine.create(print), setmetatable({}, mt) } do
  pcall(error, object)
  pcall(coroutine.wrap(error), object)
end
error(setmetatable({ message = "x", location = { file = "/etc/passwd", line = 1 } }, mt))
