-- expect ok: an iterator of gmatch that is used again after its pattern has raised an error
local it = ("aaa"):gmatch("a()(%9)")
for i = 1, 1000 do pcall(it) end
local again = ("abc"):gmatch(".")
again() again() again()
return { again() == nil, again() == nil }
