import GRDB
import PlainValue
import WorkflowKit

extension SQLiteSessionStore {
    private static let columns = """
        SELECT id, flow, version, step, step_count, created, updated, number,
            coalesce((SELECT min(step) FROM snapshot WHERE session = number), 0) FROM session
        """

    /// All sessions in short; see ``SessionStore``.
    public func list() async throws(StoreError) -> [SessionSummary] {
        try await read { db in
            try Row.fetchAll(db, sql: Self.columns + " ORDER BY updated DESC, number DESC")
                .map(SessionSummary.init)
        }
    }

    /// A session in short; see ``SessionStore``.
    public func summary(of id: String) async throws(StoreError) -> SessionSummary {
        try await read { db in SessionSummary(try Self.session(id, db)) }
    }

    /// What it takes to go on with a session; see ``SessionStore``.
    public func load(
        _ id: String, reaching step: Int? = nil
    ) async throws(StoreError) -> SessionContents {
        let (summary, base, document, texts) = try await read { db in
            let row = try Self.session(id, db)
            let summary = SessionSummary(row)
            let number: Int = row[7]
            let target = step ?? summary.step
            guard (summary.firstStep...max(summary.firstStep, summary.stepCount)).contains(target)
            else {
                throw StoreError(
                    .noSuchStep, "the session '\(id)' has no step \(target)",
                    help: "steps from \(summary.firstStep) to \(summary.stepCount) are kept")
            }
            let snapshot = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT step, document FROM snapshot WHERE session = ? AND step <= ?
                        ORDER BY step DESC LIMIT 1
                        """), arguments: [number, target])
            guard let snapshot else { throw damaged(id, "it has no snapshot") }
            let base: Int = snapshot[0]
            let texts = try String.fetchAll(
                db.cachedStatement(
                    sql: "SELECT document FROM input WHERE session = ? AND step > ? ORDER BY step"),
                arguments: [number, base])
            return (summary, base, snapshot[1] as String, texts)
        }
        guard base + texts.count == summary.stepCount else {
            throw damaged(id, "inputs are missing")
        }
        do {
            var inputs: [FlowInput] = []
            inputs.reserveCapacity(texts.count)
            for text in texts {
                inputs.append(try FlowInput(document: try StoredValue.value(of: text)))
            }
            return SessionContents(
                summary: summary,
                snapshot: SessionSnapshot(
                    step: base, document: try StoredValue.value(of: document)),
                inputs: inputs)
        } catch {
            throw damaged(id, "\(error)")
        }
    }

    /// The row of a session, with its number in column 7.
    static func session(_ id: String, _ db: Database) throws -> Row {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: columns + " WHERE id = ?"), arguments: [id])
        guard let row else { throw StoreError.notFound(id) }
        return row
    }
}

private func damaged(_ id: String, _ reason: String) -> StoreError {
    StoreError(
        .corrupted, "the session '\(id)' is damaged: \(reason)",
        help: "restore the file from a copy, or delete the session")
}

extension SessionSummary {
    fileprivate init(_ row: Row) {
        self.init(
            id: row[0], flow: row[1], version: row[2], step: row[3], stepCount: row[4],
            firstStep: row[8], created: row[5], updated: row[6])
    }
}
