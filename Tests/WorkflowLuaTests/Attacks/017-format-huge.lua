-- expect time or memory: a format of many megabytes
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local form = ('%%'):rep(15000000) while true do string.format(form) end
end } }
