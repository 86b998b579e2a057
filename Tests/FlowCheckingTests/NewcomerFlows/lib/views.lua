local views = {}

function views.start(_, context) return { title = "Hello", enter = context:sink("enter") } end

function views.inside(state, context)
    return {
        title = "Inside",
        user = state.user,
        notices = state.notices,
        leave = context:sink("leave"),
    }
end

function views.missing() return { title = "There is no such page" } end

return views
