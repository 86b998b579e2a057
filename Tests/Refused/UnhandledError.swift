import WorkflowKit

// An action can fail, and whoever sends it says what happens then.
func open(_ session: FlowSession) async {
    await session.send("open")  // error: call can throw
}
