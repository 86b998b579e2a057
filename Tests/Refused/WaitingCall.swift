import WorkflowStore

// A call of a stored session is stored as a whole, so it cannot wait within.
func settle(_ session: StoredSession) async throws {
    try await session.perform { flow in await flow.untilIdle() }  // error: cannot pass function
}
