-- expect error: a format of pack is gone through without an instruction
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
string.packsize((' '):rep(15000000))
end } }
