import Workflow

// Only a render makes routes, for the parent to which they lead: a route trusts its parent's type.
func deliver<Action: WorkflowAction>(_ action: Action, to parent: ParentNode) throws {
    try ActionRoute<Action>().deliver(action, to: parent)  // error: initializer is inaccessible
}
