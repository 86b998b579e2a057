-- expect time: sort compares tables whose `__lt` is next over a large one
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local big = {} for i = 1, 100000 do big[i + 0.5] = true end
setmetatable(big, { __lt = function(a, b) return next(big) ~= nil end })
local t = {} for i = 1, 20000 do t[i] = big end
while true do pcall(table.sort, t) end
end } }
