local Checkout = require "checkout"
local Cart = require "cart"

describe("cart", function()
    it("counts more of a product on one line", function()
        local items = {}
        Cart.add(items, { sku = "mug-07", price = 12, quantity = 1 })
        Cart.add(items, { sku = "mug-07", quantity = 2 })
        expect(items):equals { { sku = "mug-07", price = 12, quantity = 3 } }
        assert(Cart.total(items) == 36)
    end)

    it("refuses what is no item", function()
        expect(function() Cart.add({}, { price = 1 }) end):fails "an item needs a sku"
        expect(function() Cart.remove({}, "mug-07") end):fails "there is no mug-07 in the cart"
    end)
end)

describe("checkout", function()
    local flow

    before_each(function()
        flow = workflow.test(Checkout, {
            items = { { sku = "tea-01", price = 9.5, quantity = 1 } },
        })
    end)

    it("shows the cart", function()
        flow:send { type = "add_item", sku = "mug-07", price = 12, quantity = 2 }
        flow:expect_rendering { screen = "cart", total = 33.5, pay = workflow.sink "pay" }
    end)

    it("is paid", function()
        flow:send "pay"
        local payment = { status = "authorizing", amount = 9.5 }
        flow:expect_rendering { screen = "paying", payment = payment }
        flow:send(flow.rendering.payment.authorized, { order = "A-1042" })
        flow:expect_rendering {
            screen = "done",
            confirmation = { message = "Thank you for order A-1042" },
        }
        flow:send(flow.rendering.confirmation.close)
        flow:expect_output { order = "A-1042", total = 9.5 }
    end)

    it("can be tried again when it is declined", function()
        flow:send "pay"
        flow:send(flow.rendering.payment.declined, { reason = "no funds" })
        flow:expect_rendering { payment = { status = "declined", reason = "no funds" } }
        flow:send(flow.rendering.payment.retry)
        flow:expect_rendering { payment = { status = "authorizing", reason = workflow.null } }
    end)

    it("goes back to the cart when it is cancelled", function()
        flow:send "pay"
        flow:send(flow.rendering.payment.cancel)
        flow:expect_rendering { screen = "cart", total = 9.5 }
    end)

    it("cannot pay for nothing", function()
        flow:send(flow.rendering.items[1].remove)
        flow:expect_rendering { items = {}, pay = workflow.null }
        flow:send "pay"
        flow:expect_error "the cart is empty"
        flow:expect_state { screen = "cart" }
    end)

    it("leaves the cart alone while it is paid", function()
        flow:send "pay"
        flow:send { type = "remove_item", sku = "tea-01" }
        flow:expect_error "remove_item is for the cart screen only"
    end)
end)
