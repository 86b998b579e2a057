import Workflow

// An action changes the state of its own workflow alone.
func sink<Root: Workflow, Action: WorkflowAction>(
    of type: Action.Type, in context: RenderContext<Root>
) -> Sink<Action> {
    context.makeSink(of: type)  // error: requires the types 'Root' and
}
