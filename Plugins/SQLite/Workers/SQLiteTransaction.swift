import GRDB
import PlainValue
import WorkerKit

/// `sqlite.transaction`: several statements, all or none.
struct SQLiteTransaction: PluginWorker {
    static let name = "sqlite.transaction"
    static let summary = "Changes a database by several statements, all or none."
    static let needs: [WorkerNeed] = ["file.read={database}", "file.write={database}"]

    struct Input: Codable, Sendable {
        /// The path of the file, which is created if necessary.
        var database: String
        var statements: [Step]
        /// The maximum number of rows of all statements together.
        var max_rows: Int?
        var max_bytes: Int?
        /// The maximum time in seconds.
        var timeout: Double?
    }

    struct Step: Codable, Sendable {
        var sql: String
        /// A list for `?`, a record for `:name`.
        var parameters: Value?
    }

    func run(_ input: Input, context: WorkerContext) async throws -> [StatementResult] {
        let limits = try Limits(
            rows: input.max_rows, bytes: input.max_bytes, timeout: input.timeout)
        let file = try DatabaseFile(changing: input.database, context)
        var statements: [SafeStatement] = []
        for (index, step) in input.statements.enumerated() {
            statements.append(
                try located(index) { () throws(WorkerError) in
                    try SafeStatement(step.sql, parameters: step.parameters)
                })
        }
        return try await file.use(within: limits, context) { [statements] connection, stop in
            try connection.write { database in
                var budget = limits
                let results = try statements.enumerated().map { index, statement in
                    try located(index) {
                        try statement.execute(on: database, &budget, until: stop)
                    }
                }
                try stop.settle()
                return results
            }
        }
    }
}

/// Adds the number of the failed statement to an error.
private func located<Result>(
    _ index: Int, _ work: () throws -> Result
) throws -> Result {
    do {
        return try work()
    } catch var error as WorkerError {
        error.message = "statement \(index + 1): \(error.message)"
        throw error
    }
}
