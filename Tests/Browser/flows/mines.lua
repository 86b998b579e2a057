-- A field of eight by eight with eight mines, at the same places in every game.
local Mines = {}

local size = 8
local mines = { [3] = true, [12] = true, [22] = true, [29] = true, [37] = true, [46] = true, [51] = true, [60] = true }

function Mines.state() return { open = {}, moves = 0 } end

local function around(place)
    local row, column = (place - 1) // size, (place - 1) % size
    local found = {}
    for y = math.max(row - 1, 0), math.min(row + 1, size - 1) do
        for x = math.max(column - 1, 0), math.min(column + 1, size - 1) do
            found[#found + 1] = y * size + x + 1
        end
    end
    return found
end

local function count(place)
    local found = 0
    for _, other in ipairs(around(place)) do
        if mines[other] then found = found + 1 end
    end
    return found
end

local function name(place) return "square " .. place end

local function open(state, place)
    if state.open[name(place)] then return end
    state.open[name(place)] = true
    if count(place) > 0 then return end
    for _, other in ipairs(around(place)) do open(state, other) end
end

Mines.apply = {
    step = function(state, action)
        state.moves = state.moves + 1
        state.lost = mines[action.place]
        open(state, action.place)
    end,
    again = function(state)
        state.open, state.moves, state.lost = {}, 0, nil
    end,
    leave = function(state) return { moves = state.moves } end,
}

function Mines.render(state, context)
    local field, left = {}, 0
    for row = 1, size do
        field[row] = {}
        for column = 1, size do
            local place = (row - 1) * size + column
            local around_it = count(place)
            local is_open = state.open[name(place)]
            if not is_open and not mines[place] then left = left + 1 end
            field[row][column] = {
                mark = is_open and (mines[place] and "✹" or around_it > 0 and tostring(around_it) or "·") or "",
                step = not is_open and not state.lost and context:sink("step", { place = place }) or nil,
            }
        end
    end
    return {
        title = state.lost and "That was a mine" or left == 0 and "Cleared" or "Mines",
        left = left,
        moves = state.moves,
        field = field,
        again = context:sink("again"),
        leave = context:sink("leave"),
    }
end

return Mines
