import GRDB
import GRDBSQLite
import Synchronization
import WorkerKit

/// Decides once how a run ends: its statements come to their end, or they are stopped before.
final class Stop: Sendable {
    private enum State {
        /// With the connection on which a statement of the run is under way.
        case runs(Connection?)
        /// The result counts, whatever happens from now on.
        case isSettled
        case isStopped(any Error, at: ContinuousClock.Instant)
    }

    /// `@unchecked Sendable` because any thread may interrupt it while a statement uses it.
    private struct Connection: @unchecked Sendable {
        let pointer: SQLiteConnection
    }

    private let state = Mutex(State.runs(nil))
    private let flag = Atomic(false)
    private let answered = Latch()

    var isSet: Bool { flag.load(ordering: .relaxed) }

    var reason: (any Error)? {
        state.withLock { if case .isStopped(let reason, _) = $0 { reason } else { nil } }
    }

    func wasSet(before time: ContinuousClock.Instant) -> Bool {
        state.withLock { if case .isStopped(_, let moment) = $0 { moment < time } else { false } }
    }

    /// Stops the run, unless its result counts already. Does not wait.
    func set(_ reason: any Error) {
        let isStopped = state.withLock { state in
            guard case .runs(let connection) = state else { return false }
            if let connection { sqlite3_interrupt(connection.pointer) }
            state = .isStopped(reason, at: .now)
            flag.store(true, ordering: .relaxed)
            return true
        }
        if isStopped { answered.open() }
    }

    /// - Throws: `CancellationError` if the run was stopped.
    func check() throws { if isSet { throw CancellationError() } }

    /// Makes the result count, before it is committed. Throws as ``check()``.
    func settle() throws {
        try state.withLock { state in
            if case .isStopped = state { throw CancellationError() }
            state = .isSettled
        }
    }

    /// Ends the wait for the result.
    func finish() {
        // A run that was stopped stays so.
        try? settle()
        answered.open()
    }

    /// Waits until the run is stopped or has finished.
    func wait() async { await answered.waitUntilOpen() }

    /// Runs statements on a connection, which a stop interrupts.
    func interrupting<Output>(
        _ connection: SQLiteConnection?, _ work: () throws -> Output
    ) throws -> Output {
        let connection = connection.map { Connection(pointer: $0) }
        try state.withLock { state in
            guard case .runs = state else { throw CancellationError() }
            state = .runs(connection)
        }
        defer { state.withLock { if case .runs = $0 { $0 = .runs(nil) } } }
        return try work()
    }
}
