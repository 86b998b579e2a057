import Workflow

// Renderings that are not `Sendable`, as those with closures, stay with the owner of the host.
func print<Root: Workflow>(renderingsOf host: WorkflowHost<Root>) {
    let renderings = host.renderings
    Task.detached { for await one in renderings { print(one) } }  // error: risks causing
}
