-- Signs a person up in three steps, and shows what was given before it is sent.
local Wizard = {}

function Wizard.state()
    return { step = 1, full_name = "", email = "", ticket = "standard", arrival = "2026-06-12", nights = 2, breakfast = true }
end

Wizard.apply = {
    introduce = function(state, action)
        assert(type(action.full_name) == "string" and action.full_name ~= "", "we need your full name")
        assert(type(action.email) == "string" and action.email:find("@"), "this email has no @")
        state.full_name = action.full_name
        state.email = action.email
        state.step = 2
    end,
    choose = function(state, action)
        assert(math.type(action.nights) == "integer" and action.nights > 0, "nights must be a whole number")
        state.ticket = action.ticket
        state.arrival = action.arrival
        state.nights = action.nights
        state.breakfast = action.breakfast == true
        state.step = 3
    end,
    back = function(state) state.step = state.step - 1 end,
    book = function(state) return { booked = state.full_name, nights = state.nights } end,
}

function Wizard.render(state, context)
    local place = "Step " .. state.step .. " of 3"
    if state.step == 1 then
        return {
            title = "Tell us about you",
            message = place,
            full_name = state.full_name,
            email = state.email,
            continue = context:sink("introduce"),
        }
    elseif state.step == 2 then
        return {
            ["$view"] = {
                options = { ticket = { "standard", "student", "patron" } },
                format = { arrival = "date" },
                label = { arrival = "Day of arrival" },
            },
            title = "Choose a ticket",
            message = place,
            ticket = state.ticket,
            arrival = state.arrival,
            nights = state.nights,
            breakfast = state.breakfast,
            continue = context:sink("choose"),
            back = context:sink("back"),
        }
    end
    local price = ({ standard = 120, student = 60, patron = 300 })[state.ticket] + 80.5 * state.nights
    return {
        ["$view"] = { format = { arrival = "date", price = "money EUR" }, primary = "book" },
        title = "Is this right?",
        message = place,
        price = price,
        full_name = state.full_name,
        email = state.email,
        ticket = state.ticket,
        arrival = state.arrival,
        nights = state.nights,
        breakfast = state.breakfast,
        book = context:sink("book"),
        back = context:sink("back"),
    }
end

return Wizard
