-- expect error: more directives than one call of string.format may take
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local t = {} for i = 1, 200000 do t[i] = 1e308 end
return string.format(('%.99f'):rep(200000), table.unpack(t))
end } }
