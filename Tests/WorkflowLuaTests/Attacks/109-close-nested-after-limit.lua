-- expect n false false false: coroutines within coroutines, the innermost of which met the limit
local threads = {}
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
local function nested(n)
  threads[n] = coroutine.create(function()
    local x <close> = endless
    if n < 3 then coroutine.resume(nested(n + 1)) end
    while true do end
  end)
  return threads[n]
end
coroutine.resume(nested(1))
end,
 go = function(state)
local said = {}
for i, co in ipairs(threads) do said[i] = tostring(coroutine.close(co)) end
state.n = table.concat(said, ' ')
end } }
