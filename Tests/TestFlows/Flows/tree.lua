local Leaf = { name = "leaf", state = { n = 0 } }

Leaf.apply = {
    tell = function(state, action)
        state.n = state.n + 1
        return action.limit
    end,
}

function Leaf.render(state, context) return { n = state.n, tell = context:sink("tell") } end

local Branch = { name = "branch", state = { n = 0 } }

Branch.apply = {
    heard = function(state, action)
        state.n = state.n + 10
        if action.output == "branch" then error("stopped at the branch") end
        return action.output
    end,
}

function Branch.render(state, context)
    return { n = state.n, leaf = context:render(Leaf, {}, { on_output = "heard" }) }
end

local Tree = { name = "tree", state = { n = 0 } }

Tree.apply = {
    heard = function(state, action)
        state.n = state.n + 100
        if action.output == "tree" then error("stopped at the tree") end
        if action.output == "output" then return print end
        return "heard"
    end,
}

function Tree.render(state, context)
    return { n = state.n, branch = context:render(Branch, {}, { on_output = "heard" }) }
end

return Tree
