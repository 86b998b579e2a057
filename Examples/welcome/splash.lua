-- The first screen. Its only output says that it was seen.
local Splash = {}

Splash.apply = {
    continue = function() return "seen" end,
}

function Splash.render(_, context)
    return { screen = "splash", title = "Welcome", continue = context:sink("continue") }
end

return Splash
