-- What a cart can do: a plain module of functions over a list of { sku, price, quantity }.
local Cart = {}

local function find(items, sku)
    for index, item in ipairs(items) do
        if item.sku == sku then return item, index end
    end
end

-- Adds `item.quantity` (one unless given) of a product; more of the same product share a line.
function Cart.add(items, item)
    local quantity = item.quantity or 1
    assert(type(item.sku) == "string", "an item needs a sku")
    assert(math.type(quantity) == "integer" and quantity > 0, "an item needs a whole quantity")
    local line = find(items, item.sku)
    if line then
        line.quantity = line.quantity + quantity
    else
        assert(type(item.price) == "number" and item.price >= 0, "an item needs a price")
        items[#items + 1] = { sku = item.sku, price = item.price, quantity = quantity }
    end
end

function Cart.remove(items, sku)
    local _, index = find(items, sku)
    assert(index, "there is no " .. tostring(sku) .. " in the cart")
    table.remove(items, index)
end

function Cart.total(items)
    local total = 0
    for _, item in ipairs(items) do
        total = total + item.price * item.quantity
    end
    return total
end

return Cart
