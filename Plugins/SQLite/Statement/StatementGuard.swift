import GRDB
import GRDBSQLite
import Synchronization
import WorkerKit

/// SQLite asks this guard about every action of a flow's statement, and repeatedly while the statement runs whether it
/// may continue.
///
/// It is installed on every connection, but only applies within ``watching(_:_:)``. So the host's own work, such as
/// undoing a stopped transaction, is neither refused nor stopped.
final class StatementGuard: Sendable {
    @TaskLocal private static var current: StatementGuard?

    private let stop: Stop
    /// The first refusal.
    private let refusal = Mutex<String?>(nil)

    private init(_ stop: Stop) { self.stop = stop }

    /// Runs `work`, which compiles and runs a flow's statement on this thread.
    ///
    /// - Throws: The error of `work`, but instead of a `DatabaseError` a ``WorkerError``, with the code `denied` for a
    ///   refused action; `CancellationError` once `stop` is set.
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

    /// Installs the guard on a connection permanently.
    static func install(on connection: SQLiteConnection?) {
        // This replaces the library's own authorizer, from which it learns how a statement affects a transaction. It
        // only needs that to cancel waiting tasks, which is done here.
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
        // Unlike an interrupt, which is lost just before a statement begins.
        sqlite3_progress_handler(
            connection, 1000, { _ in StatementGuard.current?.stop.isSet == true ? 1 : 0 }, nil)
    }
}
