-- Requests that two reviewers approve, while the authors may still revise them. It loses an
-- approval: the page "Exploring flows" finds it.
local Board = {}

local reviewers = { "ann", "ben" }

function Board.state(props)
    local cards = {}
    for i, title in ipairs(props.titles or { "holiday", "laptop" }) do
        local asked = { ann = true, ben = true }
        cards[i] = { title = title, revision = 1, approvals = {}, asked = asked }
    end
    return { cards = cards }
end

local function copy(record)
    local new = {}
    for name, value in pairs(record) do new[name] = value end
    return new
end

Board.apply = {
    edit = function(state, action)
        local card = state.cards[action.card]
        card.draft = { revision = card.revision + 1, approvals = copy(card.approvals) }
    end,
    save = function(state, action)
        local card = state.cards[action.card]
        card.revision, card.approvals = card.draft.revision, card.draft.approvals
        card.draft = nil
    end,
    approve = function(state, action)
        local card = state.cards[action.card]
        card.approvals[action.by] = true
        card.asked[action.by] = nil
    end,
}

local function render_card(card, number, context)
    local missing, asked, approve = 0, 0, {}
    for _, name in ipairs(reviewers) do
        if not card.approvals[name] then missing = missing + 1 end
        if card.asked[name] then
            asked = asked + 1
            approve[name] = context:sink("approve", { card = number, by = name })
        end
    end
    local open = missing > 0
    return {
        title = card.title,
        revision = card.revision,
        status = not open and "approved" or card.draft and "edited" or "open",
        missing = missing,
        asked = asked,
        approve = approve,
        edit = open and not card.draft and context:sink("edit", { card = number }) or nil,
        save = card.draft and context:sink("save", { card = number }) or nil,
    }
end

function Board.render(state, context)
    local cards, open = {}, 0
    for i, card in ipairs(state.cards) do
        cards[i] = render_card(card, i, context)
        if cards[i].status ~= "approved" then open = open + 1 end
    end
    return { open = open, cards = cards, final = open == 0 }
end

return Board
