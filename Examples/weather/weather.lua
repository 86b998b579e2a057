-- Shows the weather that `props.url` answers with, as JSON: { "place": …, "celsius": …, "sky": … }.
local Weather = {}

function Weather.state()
    return { screen = "loading" }
end

-- Another place is asked for anew.
function Weather.changed(old_props, new_props, state)
    if old_props.url ~= new_props.url then state.screen = "loading" end
end

local function fail(state, message)
    state.screen = "failed"
    state.message = message
end

Weather.apply = {
    answered = function(state, action)
        local answer = action.output
        -- A status such as 404 is an answer too: the server was reached.
        if answer.status ~= 200 then
            fail(state, "the server answered " .. answer.status)
        elseif not answer.json then
            fail(state, "the server did not answer with JSON")
        else
            state.screen = "weather"
            state.weather = answer.json
        end
    end,
    failed = function(state, action) fail(state, action.error.message) end,
    reload = function(state) state.screen = "loading" end,
    close = function(state) return state.weather or {} end,
}

local screens = {
    loading = function(_, context)
        -- Runs as long as this screen is shown; when it is left, the request is cancelled.
        context:run("http.get", { url = context.props.url, timeout = 10 }, {
            on_output = "answered",
            on_error = "failed",
        })
        return { message = "loading …" }
    end,
    weather = function(state, context)
        local weather = state.weather
        return {
            place = weather.place,
            celsius = weather.celsius,
            sky = weather.sky,
            reload = context:sink("reload"),
        }
    end,
    failed = function(state, context)
        return { message = state.message, try_again = context:sink("reload") }
    end,
}

function Weather.render(state, context)
    local rendering = screens[state.screen](state, context)
    rendering.screen = state.screen
    rendering.close = context:sink("close")
    return rendering
end

return Weather
