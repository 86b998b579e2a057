import PlainValue
import WorkflowKit

// A call that does not end costs its session and its thread, and nothing else.
extension SessionPool {
    /// The number of calls into flows that do not end.
    ///
    /// - Warning: Each keeps a thread until the process ends.
    public nonisolated var stuckCallCount: Int { uses.stuckCount }

    /// Runs a function with a session or a copy of it, on the pool's threads. If a call into the
    /// session's flow does not end, this returns nevertheless.
    ///
    /// - Throws: The function's error; a ``StoreError`` with the code `stuck` if it was given up.
    package nonisolated func watching<Result: Sendable>(
        _ subject: CallWatch.Subject, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let answer = Answer<Result>()
        try uses.add(answer, of: subject)
        defer { uses.remove(answer) }
        let task = Task(executorPreference: executor) {
            do { answer.give(.success(try await body())) } catch { answer.give(.failure(error)) }
        }
        return try await withTaskCancellationHandler {
            try await answer.take()
        } onCancel: {
            task.cancel()
        }
    }

    /// Handles a call that is stuck, or has ended after all. Called on a thread outside of flows.
    nonisolated func take(_ event: CallWatch.Event) {
        switch event {
        case .stuck(let call):
            onStuck(call)
            uses.giveUp(call.subject)
            if !call.isInCopy { Task { await giveUp(call.session) } }
        case .ended(let call):
            uses.readmit(call.subject)
            onStuckEnd(call)
        }
    }

    /// Closes a session without waiting for its stuck call.
    private func giveUp(_ id: String) async {
        guard let place = places.removeValue(forKey: Name(id)) else { return }
        if let session = place.opened { return await session.giveUp() }
        // A flow that is tried out before is stuck. Should that end, nobody knows of the session.
        Task(executorPreference: executor) { [session = place.session] in
            await (try? session.value)?.giveUp()
        }
    }
}

extension StuckCall {
    /// The session or copy whose call it is.
    fileprivate var subject: CallWatch.Subject { .init(session, isCopy: isInCopy) }
}
