-- A deep tree of species; each branch can be opened and closed.
local Branch = { name = "branch" }

local kinds = {
    { name = "Animals", below = {
        { name = "Birds", below = {
            { name = "Owls", below = {
                { name = "Barn owls", below = {
                    { name = "Tyto", below = { { name = "Tyto alba", below = {} }, { name = "Tyto novaehollandiae", below = {} } } },
                } },
            } },
            { name = "Gulls", below = {} },
        } },
        { name = "Fish", below = { { name = "Herring", below = {} } } },
    } },
    { name = "Plants", below = { { name = "Mosses", below = {} }, { name = "Ferns", below = {} } } },
}

function Branch.state(props) return { open = props.depth < 2 } end

Branch.apply = { turn = function(state) state.open = not state.open end }

function Branch.render(state, context)
    local kind, children = context.props.kind, {}
    if state.open then
        for index, child in ipairs(kind.below) do
            children[index] = context:render(Branch, { kind = child, depth = context.props.depth + 1 }, { key = child.name })
        end
    end
    return {
        name = kind.name,
        kinds = #kind.below > 0 and not state.open and #kind.below or nil,
        [state.open and "fold" or "unfold"] = #kind.below > 0 and context:sink("turn") or nil,
        children = #children > 0 and children or nil,
    }
end

local Tree = {}

Tree.apply = { close = function() return { closed = true } end }

function Tree.render(_, context)
    local branches = {}
    for index, kind in ipairs(kinds) do
        branches[index] = context:render(Branch, { kind = kind, depth = 1 }, { key = kind.name })
    end
    return { title = "What lives", branches = branches, close = context:sink("close") }
end

return Tree
