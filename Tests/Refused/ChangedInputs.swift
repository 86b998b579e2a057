import Workflow

// An action changes the state; the inputs are the parent's.
func change<Root: Workflow>(_ context: ApplyContext<Root>, to workflow: Root) {
    var context = context
    context.workflow = workflow  // error: 'workflow' is a get-only property
}
