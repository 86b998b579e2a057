-- A long table; `props.rows` says how long.
local Stock = {}

local names = { "Teapot", "Mug", "Strainer", "Tray", "Kettle", "Tin", "Spoon", "Cosy" }
local makers = { "Ando", "Bruun", "Castell", "Dufour", "Eriksen" }

function Stock.state(props)
    local items = {}
    for index = 1, props.rows or 10000 do
        -- Spread without chance, so that every run has the same rows.
        local mixed = index * 7919 % 10007
        items[index] = {
            sku = string.format("%s-%05d", names[mixed % #names + 1]:sub(1, 3):upper(), index),
            name = names[mixed % #names + 1],
            maker = makers[mixed % #makers + 1],
            stock = mixed % 400,
            price = mixed % 9000 / 100,
        }
    end
    return { items = items, ordered = 0 }
end

Stock.apply = {
    order = function(state, action)
        for _, item in ipairs(state.items) do
            if item.sku == action.sku then
                item.stock = item.stock + 10
                state.ordered = state.ordered + 10
            end
        end
    end,
    close = function(state) return { ordered = state.ordered } end,
}

function Stock.render(state, context)
    local rows = {}
    for index, item in ipairs(state.items) do
        rows[index] = {
            sku = item.sku,
            name = item.name,
            maker = item.maker,
            stock = item.stock,
            price = item.price,
            order = context:sink("order", { sku = item.sku }),
        }
    end
    return {
        ["$view"] = { format = { price = "money EUR" }, label = { sku = "Article" } },
        title = "Stock",
        ordered = state.ordered,
        articles = rows,
        close = context:sink("close"),
    }
end

return Stock
