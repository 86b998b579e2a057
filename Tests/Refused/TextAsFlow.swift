import WorkflowKit

// A text could be the path of a flow as well as its source, so it is said which.
func open(_ text: String) async throws -> FlowSession {
    try await FlowSession.open(text)  // error: cannot convert value of type 'String'
}
