import GRDB
import GRDBSQLite
import Synchronization
import WorkerKit

/// SQLite asks this guard about every action of a flow's statement, and repeatedly while the
/// statement runs whether it may continue.
///
/// It is installed on every connection, but only applies within ``watching(_:on:_:)``. So the
/// host's own work, such as undoing a stopped transaction, is neither refused nor stopped.
final class StatementGuard: Sendable {
    @TaskLocal private static var current: StatementGuard?

    /// The most calls of functions that a statement may have. SQLite can stop between rows only,
    /// and calls are what takes long within one.
    private static let mostCalls = 256

    private struct Findings {
        /// The first refusal.
        var refusal: String?
        var calls = 0
    }

    private let stop: Stop
    private let findings = Mutex(Findings())

    private init(_ stop: Stop) { self.stop = stop }

    /// True if the run of the statement on this thread was stopped.
    static var isStopped: Bool { current?.stop.isSet == true }

    /// Runs `work`, which compiles and runs a flow's statement on this thread.
    ///
    /// - Throws: The error of `work`, but instead of a `DatabaseError` a ``WorkerError``, with the
    ///   code `denied` for a refused action; `CancellationError` once `stop` is set.
    static func watching<Output>(
        _ stop: Stop, on database: Database, _ work: () throws -> Output
    ) throws -> Output {
        let guardian = StatementGuard(stop)
        return try $current.withValue(guardian) {
            do {
                return try stop.interrupting(database.sqliteConnection, work)
            } catch let error as DatabaseError {
                try stop.check()
                if let refusal = guardian.findings.withLock(\.refusal) {
                    throw WorkerError("denied", "a flow cannot use \(refusal)")
                }
                throw WorkerError(of: error)
            }
        }
    }

    /// Installs the guard on a connection permanently.
    static func install(on connection: SQLiteConnection?) {
        // This replaces the library's own authorizer, from which it learns how a statement affects
        // a transaction. It only needs that to cancel waiting tasks, which is done here.
        sqlite3_set_authorizer(
            connection,
            { _, action, first, second, _, _ in
                guard let guardian = StatementGuard.current else { return SQLITE_OK }
                let isAllowed = guardian.allows(
                    action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
                return isAllowed ? SQLITE_OK : SQLITE_DENY
            }, nil)
        // Without it a stop that comes just before a statement begins would be lost.
        sqlite3_progress_handler(
            connection, 1000, { _ in StatementGuard.isStopped ? 1 : 0 }, nil)
    }

    private func allows(_ action: CInt, _ first: String?, _ second: String?) -> Bool {
        findings.withLock { findings in
            if action == SQLITE_FUNCTION { findings.calls += 1 }
            let refusal =
                findings.calls > Self.mostCalls
                ? "more than \(Self.mostCalls) calls of functions in a statement"
                : StatementRules.refusal(of: action, first, second)
            guard let refusal else { return true }
            findings.refusal = findings.refusal ?? refusal
            return false
        }
    }
}
