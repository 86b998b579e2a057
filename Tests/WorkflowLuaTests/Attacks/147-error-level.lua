-- expect time: errors that look for their place a hundred thousand calls deep
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local function f(n) if n > 0 then local r = f(n - 1) return r end while true do pcall(error, 'x', 100000) end end
f(100000)
end } }
