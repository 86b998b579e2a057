import GRDB
import GRDBSQLite
import PlainValue
import WorkerKit

/// A flow's statement: untrusted SQL with bound parameters.
struct SafeStatement: Sendable {
    private let sql: String
    private let arguments: StatementArguments

    /// - Throws: A ``WorkerError`` with the code `bad_input` for parameters that cannot be stored.
    init(_ sql: String, parameters: Value?) throws(WorkerError) {
        // SQLite would silently ignore everything after it.
        guard !sql.utf8.contains(0) else {
            throw WorkerError("bad_input", "there is a NUL in the SQL")
        }
        self.sql = sql
        arguments = try Parameters.arguments(parameters)
    }

    func query(on database: Database, _ limits: Limits, until stop: Stop) throws -> Rows {
        try StatementGuard.watching(stop, on: database) {
            try StatementSize.check(sql, in: database)
            let statement = try database.makeStatement(sql: sql)
            guard statement.isReadonly else {
                throw WorkerError(
                    "read_only", "sqlite.query cannot change a database",
                    help: "take sqlite.execute")
            }
            try statement.setArguments(arguments)
            var budget = limits
            return try Rows(of: statement, &budget)
        }
    }

    func execute(
        on database: Database, _ limits: inout Limits, until stop: Stop
    ) throws -> StatementResult {
        try StatementGuard.watching(stop, on: database) {
            try StatementSize.check(sql, in: database)
            let statement = try database.makeStatement(sql: sql)
            try statement.setArguments(arguments)
            let before = database.totalChangesCount
            // Otherwise it would be the last id of another run.
            sqlite3_set_last_insert_rowid(database.sqliteConnection, 0)
            var result = StatementResult(changes: 0)
            if statement.columnCount > 0 {
                let rows = try Rows(of: statement, &limits)
                result.rows = rows.rows
                result.columns = rows.columns
            } else {
                try statement.execute()
            }
            // SQLite reports the count of the last statement that changed anything.
            if database.totalChangesCount != before { result.changes = database.changesCount }
            let id = database.lastInsertedRowID
            if id != 0 { result.last_id = Int(id) }
            return result
        }
    }
}

/// The result of a statement that may change the database, as flows receive it.
struct StatementResult: Codable, Sendable {
    /// The number of inserted, changed or deleted rows, without those of triggers.
    var changes: Int
    /// The id of the last inserted row, if any.
    var last_id: Int?
    /// The rows, if the statement returns any, such as one with RETURNING.
    var rows: [Value.Record]?
    var columns: [String]?
}
