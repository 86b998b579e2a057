import GRDB
import PlainValue
import WorkerKit

/// `sqlite.query`: the rows of a statement that changes nothing.
struct SQLiteQuery: PluginWorker {
    static let name = "sqlite.query"
    static let summary = "Reads rows from a database."
    static let needs: [WorkerNeed] = ["file.read={database}"]

    struct Input: Codable, Sendable {
        var database: String
        var sql: String
        /// A list for `?`, a record for `:name`.
        var parameters: Value?
        var max_rows: Int?
        var max_bytes: Int?
        /// The maximum time in seconds.
        var timeout: Double?
    }

    struct Output: Codable, Sendable {
        /// The values by column name, without NULLs.
        var rows: [Value.Record]
        var columns: [String]
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Output {
        let limits = try Limits(
            rows: input.max_rows, bytes: input.max_bytes, timeout: input.timeout)
        let path = try context.require(.fileRead(input.database))
        let statement = try SafeStatement(input.sql, parameters: input.parameters)
        let file = DatabaseFile(path: path, access: .read)
        return try await file.use(within: limits, context) { connection, stop in
            try connection.read { database in
                let rows = try statement.query(on: database, limits, until: stop)
                return Output(rows: rows.rows, columns: rows.columns)
            }
        }
    }
}
