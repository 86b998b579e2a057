-- expect n 1000: a thousand coroutines, one of which met the limit
local threads = {}
local endless = setmetatable({}, { __close = function() while true do end end })
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { arm = function()
local function nest(n)
  local co = coroutine.create(function() local x <close> = endless coroutine.yield() while true do end end)
  threads[n] = co
  coroutine.resume(co)
end
for i = 1, 1000 do nest(i) end
for i = 1, 1000 do pcall(coroutine.resume, threads[i]) end
end,
 go = function(state)
local count = 0
for i = 2, 1000 do if coroutine.status(threads[i]) == 'suspended' then count = count + 1 end end
if not coroutine.close(threads[1]) then count = count + 1 end
state.n = count
end } }
