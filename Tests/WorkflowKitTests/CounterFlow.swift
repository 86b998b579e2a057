import WorkflowKit

extension FlowSource {
    /// Counts; emits its count, and fails in several ways.
    static let counter = FlowSource.text(
        """
        local Counter = { state = { n = 0 } }

        Counter.apply = {
            add = function(state, action) state.n = state.n + (action.by or 1) end,
            tell = function(state) return { n = state.n } end,
            spoil = function(state)
                state.n = 100
                error("no luck")
            end,
        }

        local function checked(n)
            if n == 13 then error("not thirteen") end
            return n
        end

        function Counter.render(state, context)
            return { n = checked(state.n), step = context.props.step, add = context:sink("add") }
        end

        return Counter
        """, name: "counter.lua")

    /// Three nested nodes. The output `tell` goes up through all of them, and each counts it. The
    /// action's `limit` says how far it gets.
    static let cascade = FlowSource.text(
        """
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
        """, name: "tree.lua")
}
