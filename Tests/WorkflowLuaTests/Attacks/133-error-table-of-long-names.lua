-- expect error or time: an error that is a table of such names, in tables
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local long = ('n'):rep(60000)
local function names()
  local t = {} for i = 1, 900 do t[long .. i] = i end return t
end
local t = names()
local u = { a = t, b = t, c = t, d = { t, t, t } }
error({ u, u, u })
end } }
