-- A shop's day, week or month at a glance.
local Shop = {}

local figures = {
    today = { revenue = 1352.4, orders = 3, conversion = 0.0342, visitors = 1873 },
    week = { revenue = 10481.75, orders = 61, conversion = 0.0297, visitors = 14206 },
    month = { revenue = 48920, orders = 284, conversion = 0.0311, visitors = 61345 },
}

function Shop.state()
    return {
        period = "today",
        orders = {
            { order = "A-1041", customer = "Lin Wei", total = 129.9, status = "paid", items = 3 },
            { order = "A-1042", customer = "Farid Haddad", total = 18.5, status = "open", items = 1 },
            { order = "A-1043", customer = "Maximiliane von Hohenzollern-Sigmaringen", total = 1204, status = "refunded", items = 12 },
        },
    }
end

local function find(state, number)
    for _, order in ipairs(state.orders) do
        if order.order == number then return order end
    end
end

Shop.apply = {
    show = function(state, action) state.period = action.period end,
    ship = function(state, action) find(state, action.order).status = "shipped" end,
    refund = function(state, action)
        assert(action.reason and action.reason ~= "", "a refund needs a reason")
        find(state, action.order).status = "refunded"
    end,
    close_day = function(state) return { orders = #state.orders } end,
}

function Shop.render(state, context)
    local now = figures[state.period]
    local rows = {}
    for index, order in ipairs(state.orders) do
        local is_paid, is_shipped = order.status == "paid", order.status == "shipped"
        rows[index] = {
            order = order.order,
            customer = order.customer,
            status = order.status,
            items = order.items,
            total = order.total,
            ship = is_paid and context:sink("ship", { order = order.order }) or nil,
            refund = (is_paid or is_shipped) and context:sink("refund", { order = order.order }) or nil,
        }
    end
    return {
        ["$view"] = { format = { revenue = "money EUR", total = "money EUR", conversion = "percent 1" } },
        title = "Shop",
        revenue = now.revenue,
        orders_placed = now.orders,
        conversion = now.conversion,
        visitors = now.visitors,
        today = context:sink("show", { period = "today" }),
        this_week = context:sink("show", { period = "week" }),
        this_month = context:sink("show", { period = "month" }),
        orders = rows,
        best_sellers = { "Teapot", "Mug", "Strainer" },
        team = { lead = "Ines", on_call = "Jo", phone = "+49 30 123456" },
        close_day = context:sink("close_day"),
        period = state.period,
    }
end

return Shop
