-- expect time: what a limit has stopped goes on in a closing handler
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local o = setmetatable({}, { __close = function() for i = 1, 1e9 do state.n = i end end })
local function f(n) local x <close> = o; if n > 0 then f(n - 1) end while true do end end
pcall(f, 1000) while true do pcall(f, 1000) end
end } }
