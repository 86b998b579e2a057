-- A profile that is edited in one form, and switches beside it.
local Settings = {}

function Settings.state()
    return {
        display_name = "Ada", bio = "Mathematician.\nWrites programs.", birthday = "1815-12-10", colour = "green",
        language = "English", font_size = 16, tags = { "maths", "poetry" }, news = false, saved = 0,
    }
end

Settings.apply = {
    save = function(state, action)
        assert(type(action.display_name) == "string" and #action.display_name >= 2, "a display name has two letters or more")
        assert(math.type(action.font_size) == "integer", "the font size must be a whole number")
        assert(action.font_size >= 8 and action.font_size <= 40, "the font size is from 8 to 40")
        state.display_name = action.display_name
        state.bio = action.bio or ""
        state.birthday = action.birthday
        state.colour = action.colour
        state.language = action.language
        state.font_size = action.font_size
        state.tags = {}
        for index, tag in ipairs(action.tags or {}) do state.tags[index] = tag end
        state.saved = state.saved + 1
    end,
    toggle_news = function(state) state.news = not state.news end,
    reset = function() return { reset = true } end,
    close = function(state) return { name = state.display_name, tags = state.tags } end,
}

function Settings.render(state, context)
    return {
        ["$view"] = {
            options = {
                colour = { "green", "blue", "plum" },
                language = { "Deutsch", "English", "Español", "Français", "日本語" },
            },
            format = { birthday = "date" },
            label = { reset = "Reset all settings" },
        },
        title = "Your profile",
        message = state.saved > 0 and "Saved." or nil,
        display_name = state.display_name,
        bio = state.bio,
        birthday = state.birthday,
        colour = state.colour,
        language = state.language,
        font_size = state.font_size,
        tags = state.tags,
        save = context:sink("save"),
        notifications = { news = state.news, toggle = context:sink("toggle_news") },
        reset = context:sink("reset"),
        close = context:sink("close"),
    }
end

return Settings
