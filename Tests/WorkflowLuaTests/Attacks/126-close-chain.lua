-- expect time: handlers that close the next coroutine, whose handler does the same
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local last
for i = 1, 90 do
  local before = last
  last = coroutine.create(function()
    local x <close> = setmetatable({}, { __close = function()
      if before then coroutine.close(before) end
      while true do end
    end })
    coroutine.yield()
  end)
  coroutine.resume(last)
end
coroutine.close(last)
end } }
