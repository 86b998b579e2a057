-- expect time: math.max compares hundreds of thousands of long texts that are alike
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local z, t = ('\0'):rep(10000000), {}
local y = z .. 'x'
for i = 1, 200000 do t[i] = i % 2 == 0 and z or y end
return math.max(table.unpack(t))
end } }
