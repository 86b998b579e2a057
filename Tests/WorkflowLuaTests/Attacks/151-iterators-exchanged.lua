-- expect n 15: iterators that are given states and keys of one another
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local a, b = { [0] = 1, 2, x = 3, [-1] = 4, [1.5] = 5 }, { [0] = 1, 2, [{}] = 3, [true] = 4 }
local count, of_a, of_b = 0, pairs(a), pairs(b)
for k in of_a, b do count = count + 1 end
for k in of_b, a do count = count + 1 end
for k in next, a, -1 do of_a(a) count = count + 1 end
for k in of_b, b, 0 do of_b(a) count = count + 1 end
for k in of_a, a, 'x' do count = count + 1 end
state.n = count
end } }
