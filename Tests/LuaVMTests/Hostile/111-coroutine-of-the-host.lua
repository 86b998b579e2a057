-- expect error: the thread that the host runs scripts on is not a script's to resume, close or wrap
local main = coroutine.running()
local inside = coroutine.wrap(function()
  if pcall(coroutine.close, main) or coroutine.resume(main) then return "LEAK: host thread" end
  return coroutine.status(main)
end)
if inside() ~= "normal" then return "LEAK: status" end
if coroutine.close(main) then return "LEAK: closed" end
