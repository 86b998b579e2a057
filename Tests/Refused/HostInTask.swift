import Workflow

// A host belongs to the isolation that made it.
func later<Root: Workflow>(_ host: WorkflowHost<Root>) {
    Task.detached { host.shutDown() }  // error: risks causing data races
}
