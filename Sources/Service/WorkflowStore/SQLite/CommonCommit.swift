import GRDB
import Synchronization
import WorkerKit

/// Combines the changes that arrive during a commit into one transaction, for one wait.
///
/// A refused change affects no other. An error of the database fails all of the transaction.
final class CommonCommit: Sendable {
    private struct Job: Sendable {
        /// Changes the database. The returned function tells the caller after the commit.
        let change: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isWriting = false
        var trouble: StoreError?
    }

    private let pool: DatabasePool
    private let file: OpenedFile
    private let onCommit: @Sendable (Int) -> Void
    private let state = Mutex(State())
    /// The thread on which commits wait for the disk.
    private let thread = WorkerThreads(limit: 1)

    /// - Parameter onCommit: Called after each commit with the number of its changes.
    init(pool: DatabasePool, file: OpenedFile, onCommit: @escaping @Sendable (Int) -> Void) {
        self.pool = pool
        self.file = file
        self.onCommit = onCommit
    }

    /// The error of the last commit; `nil` if it succeeded.
    var trouble: StoreError? { state.withLock(\.trouble) }

    /// Notes that something else could not be stored.
    func note(_ trouble: StoreError) { state.withLock { $0.trouble = trouble } }

    /// Makes a change and returns after its commit.
    ///
    /// - Parameter change: Changes the database, or throws a ``StoreError`` before any change.
    func write<T: Sendable>(_ change: @escaping @Sendable (Database) throws -> T) async throws -> T
    {
        try await withCheckedThrowingContinuation { caller in
            add(
                Job(
                    change: { db in
                        let result = try change(db)
                        return { caller.resume(returning: result) }
                    }, fail: { caller.resume(throwing: $0) }))
        }
    }

    private func add(_ job: Job) {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        // A separate task, so that the cancellation of a caller leaves nothing in doubt.
        if isFirst { Task(executorPreference: thread) { self.writeAll() } }
    }

    private func writeAll() {
        while true {
            let jobs = state.withLock { state in
                assert(state.isWriting)
                let jobs = state.waiting
                state.waiting = []
                state.isWriting = !jobs.isEmpty
                return jobs
            }
            if jobs.isEmpty { return }
            for answer in commit(jobs) { answer() }
        }
    }

    /// Makes changes in one transaction and returns the functions that answer the callers.
    private func commit(_ jobs: [Job]) -> [@Sendable () -> Void] {
        do {
            let answers = try pool.write { db in
                let answers = try jobs.map { job in
                    do {
                        return try job.change(db)
                    } catch let refusal as StoreError {
                        return { job.fail(refusal) }
                    }
                }
                // Last, so that only the commit follows.
                try file.checkPlace()
                return answers
            }
            state.withLock { $0.trouble = nil }
            onCommit(jobs.count)
            return answers
        } catch {
            note(StoreError(error, path: file.path))
            return jobs.map { job in { job.fail(error) } }
        }
    }
}
