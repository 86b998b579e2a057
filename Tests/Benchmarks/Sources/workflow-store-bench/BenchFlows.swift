import WorkflowKit

extension FlowSource {
    static let counter = FlowSource.text(
        """
        return {
            name = "counter",
            state = { count = 0, name = "n" },
            apply = {
                inc = function(state, action) state.count = state.count + action.by end,
                add = function(state, action) state.count = state.count + action.by end,
            },
            render = function(state, context)
                return { count = state.count, add = context:sink("inc") }
            end,
        }
        """)

    /// A state with as many values as the props say; the rendering stays small.
    static let list = FlowSource.text(
        """
        return {
            name = "list",
            state = function(props)
                local values = {}
                for i = 1, props.count do values[i] = i end
                return { values = values }
            end,
            apply = { set = function(state, action) state.values[action.index] = action.value end },
            render = function(state) return { count = #state.values } end,
        }
        """)
}
