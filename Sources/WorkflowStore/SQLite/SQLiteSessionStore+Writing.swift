import GRDB
import PlainValue
import WorkflowKit

extension SQLiteSessionStore {
    /// How many of the latest snapshots are kept beside the first one.
    static let keptSnapshots = 8

    /// Keeps a new session; see ``SessionStore``.
    public func create(_ session: NewSession) async throws(StoreError) -> SessionSummary {
        try session.validate()
        let text = try StoredValue.text(of: session.document, "the snapshot")
        return try await write { db in
            do {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO session (id, flow, version, step, step_count, created, updated)
                        VALUES (?, ?, 1, 0, 0, ?, ?)
                        """
                ).execute(
                    arguments: [
                        session.id, session.flow, session.milliseconds, session.milliseconds,
                    ])
            } catch DatabaseError.SQLITE_CONSTRAINT_UNIQUE {
                throw StoreError(.exists, "there is a session '\(session.id)' already")
            }
            try Self.insert(text, step: 0, of: Int(db.lastInsertedRowID), db)
            return SessionSummary(
                id: session.id, flow: session.flow, version: 1, step: 0, stepCount: 0, firstStep: 0,
                created: session.milliseconds, updated: session.milliseconds)
        }
    }

    /// Adds to a session, all or nothing; see ``SessionStore``.
    public func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int {
        var inputs: [String] = []
        for input in change.inputs {
            inputs.append(try StoredValue.text(of: input.document, "an input"))
        }
        let texts = inputs
        var snapshot: (step: Int, text: String)?
        if let made = change.snapshot {
            snapshot = (made.step, try StoredValue.text(of: made.document, "the snapshot"))
        }
        let kept = snapshot
        do {
            return try await commonCommit.write { db in
                try Self.append(change, texts, kept, to: id, expecting: version, db)
            }
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }

    private static func append(
        _ change: SessionChange, _ inputs: [String], _ snapshot: (step: Int, text: String)?,
        to id: String, expecting version: Int, _ db: Database
    ) throws -> Int {
        try db.cachedStatement(
            sql: """
                UPDATE session SET version = version + 1, step = ?, step_count = ?, updated = ?
                WHERE id = ? AND version = ?
                """
        ).execute(
            arguments: [change.step, change.stepCount, change.milliseconds, id, version])
        let isUpdated = db.changesCount == 1
        let number: Int = try session(id, db)[7]
        guard isUpdated else { throw StoreError.conflict(id) }
        for table in ["input", "snapshot"] {
            try db.cachedStatement(
                sql: "DELETE FROM \(table) WHERE session = ? AND step > ?"
            ).execute(arguments: [number, change.keeping])
        }
        let insertion = try db.cachedStatement(
            sql: "INSERT INTO input (session, step, document) VALUES (?, ?, ?)")
        for (index, text) in inputs.enumerated() {
            try insertion.execute(arguments: [number, change.keeping + index + 1, text])
        }
        if let snapshot { try insert(snapshot.text, step: snapshot.step, of: number, db) }
        return version + 1
    }

    /// Adds a snapshot, and drops those that lie between the first and the latest ones.
    private static func insert(
        _ text: String, step: Int, of number: Int, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO snapshot (session, step, document) VALUES (?, ?, ?)"
        ).execute(arguments: [number, step, text])
        try db.cachedStatement(
            sql: """
                DELETE FROM snapshot WHERE session = ?1
                    AND step > (SELECT min(step) FROM snapshot WHERE session = ?1)
                    AND step NOT IN (
                        SELECT step FROM snapshot WHERE session = ?1 ORDER BY step DESC LIMIT ?2)
                """
        ).execute(arguments: [number, keptSnapshots])
    }

    /// Forgets a session; see ``SessionStore``.
    public func delete(_ id: String) async throws(StoreError) {
        try await write { db in
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
            guard db.changesCount == 1 else { throw StoreError.notFound(id) }
        }
        try await giveSpaceBack()
    }

    /// Forgets what is older than the latest snapshot; see ``SessionStore``.
    public func compact(_ id: String) async throws(StoreError) {
        try await write { db in
            let row = try Self.session(id, db)
            let number: Int = row[7]
            let latest = try Int.fetchOne(
                db, sql: "SELECT max(step) FROM snapshot WHERE session = ? AND step <= ?",
                arguments: [number, row[3] as Int])
            guard let latest else { return }
            try db.execute(
                sql: """
                    DELETE FROM input WHERE session = :number AND step <= :latest;
                    DELETE FROM snapshot WHERE session = :number AND step < :latest;
                    """, arguments: ["number": number, "latest": latest])
        }
        try await giveSpaceBack()
    }

    /// Makes the file as small as what is in it.
    private func giveSpaceBack() async throws(StoreError) {
        do {
            try await pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA incremental_vacuum")
                // A reader elsewhere may be in the way; a later one makes up for it.
                _ = try? db.checkpoint(.truncate)
            }
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }
}
