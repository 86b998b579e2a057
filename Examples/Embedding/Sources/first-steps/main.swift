import WorkflowKit

let counter = FlowSource.text(
    """
    return {
        state = { count = 0 },
        apply = { add = function(state, action) state.count = state.count + action.by end },
        render = function(state) return { count = state.count } end,
    }
    """)
let session = try await FlowSession.open(counter)
try await session.send(["type": "add", "by": 2])
print(await session.rendering)
