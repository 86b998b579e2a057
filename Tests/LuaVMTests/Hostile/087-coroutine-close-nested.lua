-- expect error or ok: coroutine.close within __close within coroutine.close, 100000 deep
local function deep(n)
  local co
  co = coroutine.create(function()
    local guard <close> = setmetatable({}, { __close = function() if n > 0 then deep(n - 1) end end })
    coroutine.yield()
  end)
  coroutine.resume(co)
  return coroutine.close(co)
end
return deep(100000)
