-- expect time: the same names where the limit is met
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local long = ('n'):rep(60000)
local function names()
  local t = {} for i = 1, 900 do t[long .. i] = i end return t
end
local t = names()
local v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15 = t, t, t, t, t, t, t, t, t, t, t, t, t, t, t
while true do end
end } }
