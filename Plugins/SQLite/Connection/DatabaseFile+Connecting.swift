import GRDB
import GRDBSQLite
import WorkerKit

extension DatabaseFile {
    /// Opens several connections that only read, or one that writes.
    func connect() throws -> any DatabaseWriter {
        try check()
        var configuration = Configuration()
        configuration.readonly = access == .read
        configuration.prepareDatabase { [self] database in
            try prepare(database)
        }
        return switch access {
        case .read: try DatabasePool(path: path, configuration: configuration)
        case .write: try DatabaseQueue(path: path, configuration: configuration)
        }
    }

    private func prepare(_ database: Database) throws {
        let connection = database.sqliteConnection
        // A link may have been added since the grant was checked, so the opened path is checked.
        guard let name = sqlite3_db_filename(connection, "main"), String(cString: name) == path
        else {
            throw WorkerError("cannot_open", "'\(path)' was replaced by a link")
        }
        // How long to wait while another process locks the database, in milliseconds.
        sqlite3_busy_timeout(connection, 2000)
        for (limit, value) in Self.limits { sqlite3_limit(connection, limit, value) }
        // The schema of a foreign file is not trusted either.
        try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        if access == .write {
            // Readers and a writer do not wait for each other then, if the file system can do it.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        }
        try SafeFunctions.install(on: connection)
        StatementGuard.install(on: connection)
    }

    private static let limits: [(CInt, CInt)] = [
        (SQLITE_LIMIT_ATTACHED, 0),
        // A function of SQLite cannot be stopped. With so long and so many arguments none takes
        // longer than 0.2 seconds, as FunctionTimeTests measures.
        (SQLITE_LIMIT_LENGTH, CInt(Limits.longest)),
        (SQLITE_LIMIT_FUNCTION_ARG, 64),
        (SQLITE_LIMIT_SQL_LENGTH, 1024 * 1024),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        (SQLITE_LIMIT_EXPR_DEPTH, 100),
        (SQLITE_LIMIT_COMPOUND_SELECT, 100),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 100),
        // Compiling cannot be stopped either, and computed columns can be of exponential size.
        (SQLITE_LIMIT_VDBE_OP, 100_000),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
}
