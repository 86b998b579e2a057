-- expect ok: a chunk may have an _ENV of its own; the host's stays
local function run(_ENV) x = 1 y = setmetatable and 2 return x, y end
local own = {}
local a = run(own)
local _ENV <const> = { pcall = pcall, tostring = tostring }
return { a, own.x, own.y == nil, string == nil, tostring(1) }
