import WorkflowKit

// Events are told on the session, not where it was opened.
func events(of source: FlowSource) async throws -> [FlowEvent] {
    var events: [FlowEvent] = []
    _ = try await FlowSession.open(source) { events.append($0) }  // error: mutation of captured
    return events
}
