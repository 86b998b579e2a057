-- From a cart to a paid order. `props.items` fills the cart; the output is { order, total }.
local Cart = require "cart"
local Payment = require "payment"
local Confirmation = require "confirmation"

local Checkout = {}

function Checkout.state(props)
    local items = {}
    for _, item in ipairs(props.items or {}) do
        Cart.add(items, item)
    end
    return { screen = "cart", items = items }
end

-- An action belongs to a screen: while it is being paid, the cart must stay what it is.
local function require_screen(state, action, screen)
    assert(state.screen == screen, action.type .. " is for the " .. screen .. " screen only")
end

Checkout.apply = {
    add_item = function(state, action)
        require_screen(state, action, "cart")
        Cart.add(state.items, action)
    end,
    remove_item = function(state, action)
        require_screen(state, action, "cart")
        Cart.remove(state.items, action.sku)
    end,
    pay = function(state, action)
        require_screen(state, action, "cart")
        assert(#state.items > 0, "the cart is empty")
        state.screen = "paying"
    end,
    paid = function(state, action)
        require_screen(state, action, "paying")
        state.screen = "done"
        state.order = action.order
    end,
    payment_cancelled = function(state, action)
        require_screen(state, action, "paying")
        state.screen = "cart"
    end,
    finish = function(state, action)
        require_screen(state, action, "done")
        return { order = state.order, total = Cart.total(state.items) }
    end,
}

local function render_cart(state, context)
    local rows = {}
    for index, item in ipairs(state.items) do
        rows[index] = {
            sku = item.sku,
            price = item.price,
            quantity = item.quantity,
            remove = context:sink("remove_item", { sku = item.sku }),
        }
    end
    return {
        screen = "cart",
        items = rows,
        total = Cart.total(state.items),
        add_item = context:sink("add_item"),
        pay = #rows > 0 and context:sink("pay") or nil,
    }
end

function Checkout.render(state, context)
    if state.screen == "cart" then
        return render_cart(state, context)
    end
    local total = Cart.total(state.items)
    if state.screen == "paying" then
        local payment = context:render(Payment, { amount = total }, {
            on_output = function(output)
                if output.cancelled then return "payment_cancelled" end
                return { type = "paid", order = output.order }
            end,
        })
        return { screen = "paying", payment = payment }
    end
    local confirmation = context:render(Confirmation, { order = state.order, total = total }, {
        on_output = "finish",
    })
    return { screen = "done", confirmation = confirmation }
end

return Checkout
