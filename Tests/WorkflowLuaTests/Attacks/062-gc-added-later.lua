-- expect n 0: a finaliser that is added later never runs
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local ran = 0 local mt = {} for i = 1, 1000 do setmetatable({}, mt) end mt.__gc = function() ran = ran + 1 end
for i = 1, 200000 do local x = { i } end state.n = ran
end } }
