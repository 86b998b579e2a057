-- expect error or ok: print of odd things, within its budget
print(("x"):rep(1000), nil, 0 / 0, -0.0, {}, print, coroutine.create(print), "\27[31m\0\xff\n\r")
print(setmetatable({}, { __tostring = function() return "\27]0;title\7" end }))
print(setmetatable({}, { __tostring = function() return 5 end }))
