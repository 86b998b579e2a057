import WorkflowStore

// Only what is stored moves a session.
func rewind(_ session: isolated StoredSession) {
    session.step = 0  // error: setter is inaccessible
}
