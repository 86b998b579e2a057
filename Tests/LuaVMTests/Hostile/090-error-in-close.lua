-- expect error: every __close raises another error, the last of which is told
local function guard(text) return setmetatable({}, { __close = function() error(text .. ("!"):rep(5000)) end }) end
local a <close>, n = guard("a"), 1
local b <close>, m = guard("b"), 2
local c <close>, o = guard("c"), 3
error("first")
