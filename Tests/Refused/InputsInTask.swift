import Workflow

// The inputs of a node are those of the call of `apply`, so nobody reads them in another task.
func later<Root: Workflow>(_ context: ApplyContext<Root>) {
    Task.detached { print(context.workflow) }  // error: risks causing data races
}
