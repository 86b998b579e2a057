-- expect time: stacks grow and shrink while the watchdog signals
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local function deep(n) if n > 0 then local r = deep(n - 1) return r end return 1 end
while true do pcall(deep, 180000) coroutine.wrap(function() pcall(deep, 50000) end)() end
end } }
