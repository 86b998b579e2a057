local M = {}

M.articles = {
    { id = "mug", name = "Mug", price = 12 },
    { id = "tea", name = "Tea", price = 5.5 },
}

local by_id = {}
for _, article in ipairs(M.articles) do by_id[article.id] = article end

function M.has(id) return by_id[id] ~= nil end

function M.price(id) return by_id[id].price end

return M
