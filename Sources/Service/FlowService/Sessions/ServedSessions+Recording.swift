import FlowProtocol
import HTTPServing
import WorkflowKit
import WorkflowStore

extension ServedSessions {
    /// A recording of all stored steps of a session, for `workflow-run replay`.
    func recording(of id: String, for principal: Principal) async throws(Problem) -> String {
        _ = try await moment(of: id, for: principal, .recording)
        let copy = CallWatch.Subject(id, isCopy: true)
        return try await problems {
            try await self.pool.watching(copy) { [self] in
                try await recordingText(of: id, as: copy)
            }
        }
    }

    private func recordingText(
        of id: String, as copy: CallWatch.Subject
    ) async throws -> String {
        let first = try await store.summary(of: id).firstStep
        let kept = try await store.load(id, reaching: first)
        let opening = try await openings.opening(of: kept.summary)
        var options = opening.options
        options.runsWorkers = false
        options.executor = pool.threads
        options.watch = pool.watch.watching(copy)
        let session = try await FlowSession.open(
            opening.source, options: options,
            restoring: FlowSnapshot(document: kept.snapshot.document), replaying: kept.inputs)
        let text = try await session.recordingText()
        await session.close()
        return text
    }
}
