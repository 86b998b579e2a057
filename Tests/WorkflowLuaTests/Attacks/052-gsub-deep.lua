-- expect n 198:C stack overflow: how deep calls nest is the same on every stack
return { name = 'a', state = { n = 0 },
 render = function(state, context) return { n = state.n } end,
 apply = { go = function(state, action, context)
local n = 0 local function f() n = n + 1 return (('x'):gsub('x', f)) end local ok, e = pcall(f) state.n = n .. ':' .. tostring(e)
end } }
