-- expect time: a message handler is called for the errors of its own closing handlers, twice for each
return { name = 'a', state = { n = 0 },
 render = function(state) return { n = state.n } end,
 apply = { go = function(state, action)
local o = setmetatable({}, { __close = function() error('closed', 0) end })
local function handler() local x <close> = o error('again', 0) end
while true do xpcall(error, handler) end
end } }
