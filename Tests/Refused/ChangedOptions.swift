import WorkflowKit

// The settings of a session are those that it was opened with.
func lift(_ session: isolated FlowSession) {
    session.options.limits.timeLimit = nil  // error: 'options' is a 'let' constant
}
