import GRDB

extension SQLiteSessionStore {
    /// Stores a new session; see ``SessionStore``.
    ///
    /// ```swift
    /// let session = NewSession(
    ///     id: "kitchen", flow: "tea", document: snapshot.document, milliseconds: now)
    /// print(try await store.create(session).version)  // 1 in a new store
    /// ```
    ///
    /// - Throws: As ``SessionStore/create(_:)``.
    public func create(_ session: NewSession) async throws(StoreError) -> SessionSummary {
        try session.validate()
        try session.receipt?.request.validate()
        let text = try StoredValue.text(of: session.document, "the snapshot")
        return try await write { db in
            let (receipts, host) = (receiptTable, host)
            let version = try Self.firstVersion(db)
            let summary = SessionSummary(
                id: session.id, number: 0, flow: session.flow, code: session.code?.hash,
                version: version, change: session.change, step: 0, stepCount: 0, firstStep: 0,
                wakeAt: session.wakeAt, created: session.milliseconds,
                updated: session.milliseconds)
            try Self.requireNew(session.id, db)
            try CodeTable.insert(session.code, session.code?.text, db)
            let number = try Self.insert(summary, host, db)
            try Self.insert(text, step: 0, of: number, db)
            if let receipt = session.receipt {
                try receipts.insert(
                    [receipt], of: number, screen: version, at: session.milliseconds, db)
            }
            return try self.session(session.id, db)
        }
    }

    /// Stores a fork of a session; see ``SessionStore``.
    ///
    /// ```swift
    /// let fork = SessionFork(id: "plan-b", step: 3, milliseconds: now)
    /// print(try await store.fork("groceries", to: fork).stepCount)  // 3
    /// ```
    ///
    /// - Throws: As ``SessionStore/fork(_:to:)``.
    public func fork(
        _ id: String, to fork: SessionFork
    ) async throws(StoreError) -> SessionSummary {
        try NewSession.validate(id: fork.id)
        try fork.request?.validate()
        return try await write { db in
            let (receipts, host) = (receiptTable, host)
            var summary = try session(id, db)
            let origin = summary.number
            let step = fork.step ?? summary.step
            guard summary.steps.contains(step) else {
                throw StoreError.noSuchStep(step, of: id, kept: summary.steps)
            }
            try Self.requireNew(fork.id, db)
            summary.id = fork.id
            summary.version = try Self.firstVersion(db)
            summary.screen = summary.version
            summary.change = .random(in: 0...UInt64.max)
            summary.step = step
            summary.stepCount = step
            // The running workers are unknown until the fork is played.
            summary.wakeAt = 0
            summary.created = fork.milliseconds
            summary.updated = fork.milliseconds
            let number = try Self.insert(summary, host, db)
            for (table, columns) in [("input", "document, time"), ("snapshot", "document")] {
                try db.execute(
                    sql: """
                        INSERT INTO \(table) (session, step, \(columns))
                        SELECT ?, step, \(columns) FROM \(table) WHERE session = ? AND step <= ?
                        """, arguments: [number, origin, step])
            }
            if let request = fork.request {
                let receipt = Receipt(key: request.key, digest: request.digest ?? 0, step: step)
                try receipts.insert(
                    [receipt], of: number, screen: summary.version, at: fork.milliseconds, db)
            }
            return try self.session(fork.id, db)
        }
    }

    private static func firstVersion(_ db: Database) throws -> Int {
        1 + (try Int.fetchOne(db.cachedStatement(sql: "SELECT version FROM deleted")) ?? 0)
    }

    private static func requireNew(_ id: String, _ db: Database) throws {
        let search = try db.cachedStatement(sql: "SELECT 1 FROM session WHERE id = ?")
        if try Int.fetchOne(search, arguments: [id]) != nil { throw StoreError.exists(id) }
    }

    private static func insert(
        _ summary: SessionSummary, _ host: StoreHost, _ db: Database
    ) throws -> Int {
        try db.cachedStatement(
            sql: """
                INSERT INTO session (id, flow, code, version, screen, change, step, step_count,
                    wake_at, created, updated, first_step, partition)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                summary.id, summary.flow, summary.code, summary.version, summary.screen,
                Int64(bitPattern: summary.change), summary.step, summary.stepCount,
                summary.wakeAt, summary.created, summary.updated, summary.firstStep,
                summary.wakeAt == nil ? nil : try host.partition(db),
            ])
        let number = Int(db.lastInsertedRowID)
        // Readers of a deleted session with this id are at none of its steps.
        if summary.version > 1 {
            try db.cachedStatement(
                sql: "INSERT INTO cut (session, keeping, version) VALUES (?, 0, ?)"
            ).execute(arguments: [number, summary.version])
        }
        return number
    }
}
