import GRDB
import Synchronization
import WorkerKit

/// Puts changes that come while another is written into one transaction, so that they wait for the disk together.
///
/// A change that is refused has changed nothing and concerns nobody else; what the database refuses fails all that were
/// to be written with it.
final class CommonCommit: Sendable {
    private struct Job: Sendable {
        /// Changes the database; what is returned tells the caller so, once that is committed.
        let change: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isWriting = false
    }

    private let pool: DatabasePool
    private let file: OpenedFile
    private let onCommit: @Sendable (Int) -> Void
    private let state = Mutex(State())
    /// Where a commit waits for the disk.
    private let thread = WorkerThreads(limit: 1)

    /// - Parameter onCommit: Told after each commit how many changes it has.
    init(pool: DatabasePool, file: OpenedFile, onCommit: @escaping @Sendable (Int) -> Void) {
        self.pool = pool
        self.file = file
        self.onCommit = onCommit
    }

    /// Makes a change; it is committed when the call returns.
    ///
    /// - Parameter change: Changes the database, or throws a ``StoreError`` before it has changed anything.
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
        // In a task of its own: were a caller cancelled, nobody would know what became of the changes.
        if isFirst { Task(executorPreference: thread) { self.writeAll() } }
    }

    private func writeAll() {
        while true {
            let jobs = state.withLock { state in
                let jobs = state.waiting
                state.waiting = []
                state.isWriting = !jobs.isEmpty
                return jobs
            }
            if jobs.isEmpty { return }
            for answer in commit(jobs) { answer() }
        }
    }

    /// Makes changes in one transaction, and returns what answers each caller.
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
                // Last, so that no more than the commit comes after it.
                try file.checkPlace()
                return answers
            }
            onCommit(jobs.count)
            return answers
        } catch {
            return jobs.map { job in { job.fail(error) } }
        }
    }
}
