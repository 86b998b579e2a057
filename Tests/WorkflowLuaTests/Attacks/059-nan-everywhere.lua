-- expect n nan nan NAN nan nan 3 nan nan: a NaN has one text wherever a function writes it
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local a, b = 0 / 0, -(0 / 0)
state.n = table.concat({ tostring(a), ('%s'):format(b), string.upper(a), string.rep(b, 1), table.concat({ a }),
  string.len(b), (('x'):gsub('x', function() return a end)), (('x'):gsub('x', { x = b })) }, ' ')
assert(string.pack('d', a) == string.pack('d', b))
end } }
