-- expect error: Lua 5.4.4 of Debian 12 uses a stack after it was freed when a `__concat` makes it grow
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local function deep(n) if n > 0 then local r = deep(n - 1) return r end return 1 end
local o = setmetatable({}, { __concat = function(a, b) deep(5000) return 'x' end })
local function f(n) if n > 0 then local r = f(n - 1) return r end return o .. o .. o .. o end
for i = 1, 100 do coroutine.wrap(function() local s = f(i) end)() end
end } }
