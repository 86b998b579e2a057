import FlowServing
import HTTPServing
import PlainValue
import WorkflowKit
import WorkflowStore

extension ServedSessions {
    /// A recording of all stored steps of a session, for `workflow-run replay`.
    func recording(of id: String, for principal: Principal) async throws(Problem) -> String {
        _ = try await moment(of: id, for: principal, ["do": "recording"])
        return try await problems {
            let first = try await self.store.summary(of: id).firstStep
            let kept = try await self.store.load(id, reaching: first)
            let opening = try await self.openings.opening(of: kept.summary)
            var options = opening.options
            options.runsWorkers = false
            return try await withTaskExecutorPreference(self.pool.threads) {
                let session = try await FlowSession.open(
                    opening.source, options: options,
                    restoring: FlowSnapshot(document: kept.snapshot.document),
                    replaying: kept.inputs)
                let text = try await session.recordingText()
                await session.close()
                return text
            }
        }
    }
}
