-- expect n nannannan nan 0x1.5555555555555p-2 1e9999-0.09.007199254741e+151e+151e+1008: a NaN has one text
return { name = 'a', state = { n = 0 },
 render = function(state, context) return { n = state.n } end,
 apply = { go = function(state, action, context)
state.n = tostring(0/0) .. tostring(-(0/0)) .. string.format('%.1f %g %a %q', 0/0, -(0/0), 1/3, 1/0) .. tostring(-0.0) .. tostring(2^53) .. tostring(1e15) .. tostring(1e100) .. math.tointeger('8')
end } }
