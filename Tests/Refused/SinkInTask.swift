import Workflow

// A sink belongs to the isolation of its host.
func later<Action: WorkflowAction>(_ sink: Sink<Action>, _ action: Action) {
    Task.detached { sink.send(action) }  // error: risks causing data races
}
