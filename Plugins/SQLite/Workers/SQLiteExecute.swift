import GRDB
import PlainValue
import WorkerKit

/// `sqlite.execute`: one statement in a transaction of its own.
struct SQLiteExecute: PluginWorker {
    static let name = "sqlite.execute"
    static let summary = "Changes a database by one statement."
    static let needs: [WorkerNeed] = ["file.read={database}", "file.write={database}"]

    struct Input: Codable, Sendable {
        /// The path of the file, which is created if necessary.
        var database: String
        var sql: String
        /// A list for `?`, a record for `:name`.
        var parameters: Value?
        var max_rows: Int?
        var max_bytes: Int?
        /// The maximum time in seconds.
        var timeout: Double?
    }

    func run(_ input: Input, context: WorkerContext) async throws -> StatementResult {
        let limits = try Limits(
            rows: input.max_rows, bytes: input.max_bytes, timeout: input.timeout)
        let file = try DatabaseFile(changing: input.database, context)
        let statement = try SafeStatement(input.sql, parameters: input.parameters)
        return try await file.use(within: limits, context) { connection, stop in
            try connection.write { database in
                var budget = limits
                let result = try statement.execute(on: database, &budget, until: stop)
                try stop.settle()
                return result
            }
        }
    }
}
