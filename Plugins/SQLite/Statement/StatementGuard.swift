import GRDB
import GRDBSQLite
import Synchronization
import WorkerKit

/// Asked by SQLite about each thing that a statement of a flow would do, and again and again while it
/// runs whether it may go on.
///
/// It is in place on every connection, but minds only what is done inside ``watching(_:_:)``. So what
/// is not a flow's, such as undoing a transaction that was stopped, is neither refused nor stopped.
final class StatementGuard: Sendable {
    @TaskLocal private static var current: StatementGuard?

    private let stop: Stop
    /// What was refused first.
    private let refusal = Mutex<String?>(nil)

    private init(_ stop: Stop) { self.stop = stop }

    /// Does what compiles and runs a statement of a flow, all in this thread.
    ///
    /// - Throws: What `work` throws; instead of a `DatabaseError` a ``WorkerError``, with the code
    ///   `denied` for what the statement may not do; `CancellationError` once `stop` is set.
    static func watching<Result>(_ stop: Stop, _ work: () throws -> Result) throws -> Result {
        try stop.check()
        let guardian = StatementGuard(stop)
        return try $current.withValue(guardian) {
            do {
                return try work()
            } catch let error as DatabaseError {
                try stop.check()
                if let refusal = guardian.refusal.withLock({ $0 }) {
                    throw WorkerError("denied", "a flow cannot use \(refusal)")
                }
                throw WorkerError(of: error)
            }
        }
    }

    /// Puts the guard in place on a connection, where it stays.
    static func install(on connection: SQLiteConnection?) {
        // This takes the place of the library's own, from which it learns what a statement does to a
        // transaction. It needs that only to stop the task that waits for it, which is done here.
        sqlite3_set_authorizer(
            connection,
            { _, action, first, second, _, _ in
                guard let guardian = StatementGuard.current else { return SQLITE_OK }
                let refusal = StatementRules.refusal(
                    of: action, first.map { String(cString: $0) },
                    second.map { String(cString: $0) })
                guard let refusal else { return SQLITE_OK }
                guardian.refusal.withLock { $0 = $0 ?? refusal }
                return SQLITE_DENY
            }, nil)
        // Unlike an interrupt, which is lost if it comes just before a statement begins.
        sqlite3_progress_handler(
            connection, 1000, { _ in StatementGuard.current?.stop.isSet == true ? 1 : 0 }, nil)
    }
}
