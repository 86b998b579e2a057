import GRDB
import Synchronization
import WorkerKit

extension DatabaseFile {
    /// Runs statements with the open database, on a thread of their own.
    ///
    /// - Parameter work: Runs statements until it is stopped. Blocks its thread.
    /// - Throws: A ``WorkerError``, with the code `timed_out` if it takes too long;
    ///   `CancellationError` if it was cancelled. Statements that go on then are undone.
    func use<Output: Sendable>(
        within limits: Limits, _ context: WorkerContext, on threads: StatementThreads = .shared,
        _ work: @escaping @Sendable (any DatabaseWriter, Stop) throws -> Output
    ) async throws -> Output {
        let stop = Stop()
        let outcome = Mutex<Result<Output, any Error>?>(nil)
        try threads.start(stop) {
            outcome.withLock { $0 = Result { try use(stop, work) } }
            stop.finish()
        }
        await withTaskCancellationHandler {
            async let _ = stop.set(after: limits, on: context)
            await stop.wait()
        } onCancel: {
            stop.set(CancellationError())
        }
        if let reason = stop.reason { throw reason }
        guard let outcome = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try outcome.get()
    }

    private func use<Output>(
        _ stop: Stop, _ work: (any DatabaseWriter, Stop) throws -> Output
    ) throws -> Output {
        do {
            try stop.check()
            return try OpenDatabases.use(self) { try work($0, stop) }
        } catch let error as DatabaseError {
            try stop.check()
            throw WorkerError(of: error)
        }
    }
}

extension Stop {
    /// Stops the run at its time limit, unless the task is cancelled before.
    fileprivate func set(after limits: Limits, on context: WorkerContext) async {
        do {
            try await context.sleep(for: .seconds(limits.timeout))
            set(
                WorkerError(
                    "timed_out", "the SQL took more than \(limits.timeout.secondsText)",
                    help: "raise timeout"))
        } catch {
            // The run has ended before.
        }
    }
}
