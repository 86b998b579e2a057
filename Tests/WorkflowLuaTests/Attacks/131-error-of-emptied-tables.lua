-- expect error or time: an error whose locals hold lists of large tables that were emptied
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local wide = {} for i = 1, 120000 do wide['k' .. i] = i end
for i = 1, 120000 do wide['k' .. i] = nil end
local t = {} for i = 1, 30 do t[i] = wide end
local v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16 = t, t, t, t, t, t, t, t, t, t, t, t, t, t, t, t
error('told')
end } }
