import Workflow

// An event handler is for the owner of the host: its action is applied before the call returns.
func later<Root: Workflow, Action: WorkflowAction<Root>>(
    _ context: RenderContext<Root>, _ go: Action
) {
    let tap: @Sendable () -> Void = context.makeEventHandler(action: go)  // error: non-Sendable
    Task.detached { tap() }
}
