import GRDB
import WorkerKit

extension DatabaseFile {
    /// Runs statements with the open database. Blocks the thread.
    ///
    /// - Parameter work: Runs statements until it is stopped.
    /// - Throws: A ``WorkerError``, with the code `timed_out` if it takes too long; `CancellationError` if the run was
    ///   cancelled. In both cases the changes are undone.
    func use<Result: Sendable>(
        within limits: Limits, _ context: WorkerContext,
        _ work: @escaping @Sendable (any DatabaseWriter, Stop) throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let stop = Stop()
                return try await withTaskCancellationHandler {
                    try use(stop, work)
                } onCancel: {
                    stop.set()
                }
            }
            group.addTask {
                try await context.sleep(for: .seconds(limits.timeout))
                throw WorkerError(
                    "timed_out", "the SQL took more than \(limits.timeoutText)",
                    help: "raise timeout")
            }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private func use<Result>(
        _ stop: Stop, _ work: (any DatabaseWriter, Stop) throws -> Result
    ) throws -> Result {
        do {
            try stop.check()
            return try OpenDatabases.use(self) { try work($0, stop) }
        } catch let error as DatabaseError {
            try stop.check()
            throw WorkerError(of: error)
        }
    }
}
