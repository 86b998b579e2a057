-- A catalogue in a module, a cart by ids, a total by a function.
local catalogue = require "parts.catalogue"

local Shop = { name = "shop", version = 2 }

function Shop.state() return { cart = {}, coupon = false } end

function Shop.migrate(state, from)
    if from == 1 then
        state.cart = state.items
        state.items = nil
    end
    state.coupon = state.coupon or false
    return state
end

local function total(state)
    local sum = 0
    for _, id in ipairs(state.cart) do sum = sum + catalogue.price(id) end
    return state.coupon and sum * 0.9 or sum
end

Shop.apply = {
    buy = function(state, action)
        assert(catalogue.has(action.id), "we do not sell that")
        state.cart[#state.cart + 1] = action.id
    end,
    coupon = function(state, action) state.coupon = action.code == "SPRING" end,
    pay = function(state)
        assert(#state.cart > 0, "the cart is empty")
        return { total = total(state), items = state.cart }
    end,
}

function Shop.render(state, context)
    local shelf = {}
    for index, article in ipairs(catalogue.articles) do
        shelf[index] = {
            name = article.name,
            price = article.price,
            buy = context:sink("buy", { id = article.id }),
        }
    end
    return {
        shelf = shelf, total = total(state),
        coupon = context:sink("coupon"), pay = context:sink("pay"),
    }
end

return Shop
