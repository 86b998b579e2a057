import GRDB

extension SQLiteSessionStore {
    /// Appends a change to a session; see ``SessionStore/append(_:to:expecting:)``.
    ///
    /// ```swift
    /// let summary = try await store.summary(of: "groceries")
    /// let change = SessionChange(
    ///     keeping: summary.stepCount, inputs: [input], step: summary.stepCount + 1,
    ///     milliseconds: input.milliseconds)
    /// let version = try await store.append(change, to: "groceries", expecting: summary.version)
    /// ```
    ///
    /// - Parameters:
    ///   - change: The inputs, snapshot and receipts, which are stored together.
    ///   - id: The session.
    ///   - version: The version that the change is based on.
    /// - Returns: The new version.
    /// - Throws: A `StoreError` with the code `conflict` for another version or a known receipt.
    public func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int {
        let texts = try ChangeTexts(change)
        return try await write { [receipts = receiptTable, host] db in
            try Self.append(change, texts, to: id, expecting: version, receipts, host, db)
        }
    }

    private static func append(
        _ change: SessionChange, _ texts: ChangeTexts, to id: String, expecting version: Int,
        _ receipts: ReceiptTable, _ host: StoreHost, _ db: Database
    ) throws -> Int {
        try requireName(id)
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT number, version, step_count, step, code, screen, partition FROM session
                    WHERE id = ?
                    """),
            arguments: [id])
        guard let row else { throw StoreError.notFound(id) }
        let number = try row.natural(0, of: id)
        let (known, stepCount) = (try row.natural(1, of: id), try row.natural(2, of: id))
        guard known == version, try !receipts.hasAny(of: change.receipts, of: number, db) else {
            throw StoreError.conflict(id)
        }
        let isAnother = change.isAnotherScreen(
            from: try row.natural(3, of: id), of: stepCount, row[4])
        let screen = isAnother ? version + 1 : try row.natural(5, of: id)
        let own = change.wakeAt == nil || change.leavesWorkers ? nil : try host.partition(db)
        // One that has lost its own takes no session from the host that has it now.
        let partition: Int? = change.wakeAt == nil ? nil : own ?? row[6]
        try CodeTable.insert(change.code, texts.code, db)
        try db.cachedStatement(
            sql: """
                UPDATE session SET version = ?, screen = ?, change = ?, step = ?, step_count = ?,
                    updated = ?, wake_at = ?, partition = ?, code = coalesce(?, code),
                    first_step = max(first_step, ?)
                WHERE number = ?
                """
        ).execute(
            arguments: [
                version + 1, screen, Int64(bitPattern: change.id), change.step, change.stepCount,
                change.milliseconds, change.wakeAt, partition, change.code?.hash,
                change.firstStep, number,
            ])
        if change.wakeAt != nil, own == nil {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO notice VALUES (?)")
                .execute(arguments: [number])
        }
        if change.keeping < stepCount {
            for table in ["input", "snapshot"] {
                try db.cachedStatement(
                    sql: "DELETE FROM \(table) WHERE session = ? AND step > ?"
                ).execute(arguments: [number, change.keeping])
            }
            try receipts.giveUp(
                after: change.keeping, of: number, version: version + 1, db)
        }
        try insert(texts, of: change, to: number, db)
        try receipts.insert(
            change.receipts, of: number, screen: screen, at: change.milliseconds, db)
        return version + 1
    }

    private static func insert(
        _ texts: ChangeTexts, of change: SessionChange, to number: Int, _ db: Database
    ) throws {
        let insertion = try db.cachedStatement(
            sql: "INSERT INTO input (session, step, document, time) VALUES (?, ?, ?, ?)")
        assert(texts.inputs.count == change.inputs.count)
        for (index, input) in texts.inputs.enumerated() {
            try insertion.execute(
                arguments: [number, change.keeping + index + 1, input.text, input.time])
        }
        if let text = texts.snapshot, let step = change.snapshot?.step {
            try insert(text, step: step, of: number, db)
        }
    }

    /// Adds a snapshot, and removes those between the first one and the latest ones.
    static func insert(_ text: String, step: Int, of number: Int, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO snapshot (session, step, document) VALUES (?, ?, ?)"
        ).execute(arguments: [number, step, text])
        try db.cachedStatement(
            sql: """
                DELETE FROM snapshot WHERE session = ?1
                    AND step > (
                        SELECT max(first_step, (SELECT min(step) FROM snapshot WHERE session = ?1))
                        FROM session WHERE number = ?1)
                    AND step NOT IN (
                        SELECT step FROM snapshot WHERE session = ?1 ORDER BY step DESC LIMIT ?2)
                """
        ).execute(arguments: [number, SessionSnapshot.kept])
    }

    /// Deletes a session; see ``SessionStore``.
    ///
    /// - Warning: It cannot be undone.
    /// - Throws: As ``SessionStore/delete(_:)``.
    public func delete(_ id: String) async throws(StoreError) {
        try await write { db in
            try Self.requireName(id)
            try db.execute(
                sql: """
                    UPDATE deleted SET version = max(
                        version, coalesce((SELECT version FROM session WHERE id = ?), 0))
                    """, arguments: [id])
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
            guard db.changesCount == 1 else { throw StoreError.notFound(id) }
        }
        try await giveSpaceBack()
    }

    /// Deletes everything before the latest snapshot; see ``SessionStore``.
    ///
    /// ```swift
    /// try await store.compact("groceries")
    /// print(try await store.summary(of: "groceries").firstStep)  // that of the latest snapshot
    /// ```
    ///
    /// - Warning: The earlier steps can no longer be reached.
    /// - Throws: As ``SessionStore/compact(_:)``.
    public func compact(_ id: String) async throws(StoreError) {
        try await write { db in
            let session = try session(id, db)
            let latest = try Int.fetchOne(
                db, sql: "SELECT max(step) FROM snapshot WHERE session = ? AND step <= ?",
                arguments: [session.number, session.step])
            guard let latest else { return }
            try db.execute(
                sql: """
                    DELETE FROM input WHERE session = :number AND step <= :latest;
                    DELETE FROM snapshot WHERE session = :number AND step < :latest;
                    """, arguments: ["number": session.number, "latest": latest])
        }
        try await giveSpaceBack()
    }

    /// Returns free space to the file system.
    private func giveSpaceBack() async throws(StoreError) {
        do {
            try await pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA incremental_vacuum")
                // A reader may prevent it; a later checkpoint catches up.
                _ = try? db.checkpoint(.truncate)
            }
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }
}
