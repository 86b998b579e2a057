public import WorkflowStore

extension PostgreSQLSessionStore {
    /// Appends a change to a session; see `SessionStore`.
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
        try Self.requireName(id)
        let prepared = PreparedChange(
            id: id, version: version, change: change, texts: try ChangeTexts(change))
        do { return try await appends.answer(prepared) } catch {
            throw StoreError(error, of: pool.address.redacted)
        }
    }

    /// Stores a new session; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/create(_:)`.
    public func create(_ session: NewSession) async throws(StoreError) -> SessionSummary {
        try session.validate()
        try session.receipt?.request.validate()
        let text = try StoredValue.text(of: session.document, "the snapshot")
        return try await begin { [host] connection in
            try CodeStatement.insert(session.code, connection)
            let (partition, receipt) = (host.partition, session.receipt)
            let rows = try connection.execute(
                Self.creation,
                [
                    .text(session.id), .text(session.flow), .text(session.code?.hash),
                    .integer(bits: session.change), .integer(session.wakeAt),
                    .integer(session.milliseconds), .text(text),
                    .integer(session.wakeAt == nil ? nil : partition?.number),
                    .integer(partition?.epoch),
                    .text(receipt?.key), .integer(bits: receipt?.digest ?? 0),
                    .integer(receipt?.step ?? 0), .integer(receipt?.inputCount ?? 0),
                ])
            guard rows.count == 1 else { throw StoreError.exists(session.id) }
            return try self.session(session.id, connection)
        }
    }

    /// Stores a fork of a session; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/fork(_:to:)`.
    public func fork(_ id: String, to fork: SessionFork) async throws(StoreError) -> SessionSummary
    {
        try NewSession.validate(id: fork.id)
        try fork.request?.validate()
        try Self.requireName(id)
        return try await begin { [host] connection in
            // The origin may be changed between the statements.
            while true {
                let summary = try session(id, connection)
                let step = fork.step ?? summary.step
                guard summary.steps.contains(step) else {
                    throw StoreError.noSuchStep(step, of: id, kept: summary.steps)
                }
                guard try find(fork.id, connection) == nil else { throw StoreError.exists(fork.id) }
                let partition = host.partition
                let rows = try connection.execute(
                    Self.forking,
                    [
                        .text(id), .text(fork.id), .integer(step), .integer(summary.version),
                        .integer(bits: .random(in: 0...UInt64.max)), .integer(fork.milliseconds),
                        .integer(partition?.number), .integer(partition?.epoch),
                        .text(fork.request?.key), .integer(bits: fork.request?.digest ?? 0),
                    ])
                if rows.count == 1 { return try session(fork.id, connection) }
            }
        }
    }

    /// Stores a session that may have workers of this host.
    private func begin(
        _ body: @escaping @Sendable (Connection) throws -> SessionSummary
    ) async throws(StoreError) -> SessionSummary {
        do throws(StoreError) { return try await pool.use(repeats: false, body) } catch {
            if error.mayPass { host.noteLostAnswer() }
            throw error
        }
    }

    /// Deletes a session; see `SessionStore`.
    ///
    /// - Warning: It cannot be undone.
    /// - Throws: As `SessionStore/delete(_:)`.
    public func delete(_ id: String) async throws(StoreError) {
        try Self.requireName(id)
        try await pool.use(repeats: false) { connection in
            try connection.transaction("") {
                let row = try connection.execute(Self.deletion, [.text(id)]).first
                guard let number = row?.integer(0) else { throw StoreError.notFound(id) }
                // After the lock, so that what was appended before is seen.
                try connection.execute(Self.clearing, [.integer(number)])
            }
        }
    }

    /// Deletes everything before the latest snapshot; see `SessionStore`.
    ///
    /// - Warning: The earlier steps can no longer be reached.
    /// - Throws: As `SessionStore/compact(_:)`.
    public func compact(_ id: String) async throws(StoreError) {
        try Self.requireName(id)
        try await pool.use(repeats: true) { connection in
            let rows = try connection.execute(Self.compaction, [.text(id)])
            guard rows.count == 1 else { throw StoreError.notFound(id) }
        }
    }

    // MARK: Statements

    /// The end of the statements that make a session: its receipt, and its number if made.
    private static let beginning = """
        made_receipt AS (
            INSERT INTO workflow.receipt
            SELECT made.number, receipt.key, receipt.digest, receipt.step, receipt.input_count,
                made.version, false, made.created
            FROM made, receipt WHERE receipt.key IS NOT NULL
        ), made_cut AS (
            -- Readers of a deleted session with this id are at none of its steps.
            INSERT INTO workflow.cut SELECT number, 0, version FROM made WHERE version > 1
        )
        SELECT number FROM made
        """

    private static let creation = Statement(
        "create",
        """
        WITH fence AS (
            SELECT number FROM workflow.partition WHERE number = $8 AND epoch = $9 FOR SHARE
        ), receipt AS (
            SELECT $10 AS key, $11 AS digest, $12 AS step, $13 AS input_count
        ), made AS (
            INSERT INTO workflow.session (id, flow, code, version, screen, change, step, step_count,
                first_step, wake_at, partition, created, updated)
            SELECT $1, $2, $3, version + 1, version + 1, $4, 0, 0, 0, $5,
                CASE WHEN $5 IS NOT NULL THEN coalesce((SELECT number FROM fence), 0) END, $6, $6
            FROM workflow.deleted
            ON CONFLICT (id) DO NOTHING RETURNING number, version, created
        ), made_snapshot AS (
            INSERT INTO workflow.snapshot SELECT number, 0, $7 FROM made
        ), \(beginning)
        """)

    private static let forking = Statement(
        "fork",
        """
        WITH fence AS (
            SELECT number FROM workflow.partition WHERE number = $7 AND epoch = $8 FOR SHARE
        ), receipt AS (
            SELECT $9 AS key, $10 AS digest, $3 AS step, 0::bigint AS input_count
        ), origin AS MATERIALIZED (
            SELECT * FROM workflow.session WHERE id = $1 AND version = $4 FOR SHARE
        ), made AS (
            INSERT INTO workflow.session (id, flow, code, version, screen, change, step, step_count,
                first_step, wake_at, partition, created, updated)
            -- The running workers are unknown until the fork is played.
            SELECT $2, o.flow, o.code, d.version + 1, d.version + 1, $5, $3, $3, o.first_step, 0,
                coalesce((SELECT number FROM fence), 0), $6, $6
            FROM origin o, workflow.deleted d
            ON CONFLICT (id) DO NOTHING RETURNING number, version, created
        ), made_inputs AS (
            INSERT INTO workflow.input SELECT made.number, i.step, i.time, i.document
            FROM made, origin o JOIN workflow.input i ON i.session = o.number WHERE i.step <= $3
        ), made_snapshots AS (
            INSERT INTO workflow.snapshot SELECT made.number, i.step, i.document
            FROM made, origin o JOIN workflow.snapshot i ON i.session = o.number WHERE i.step <= $3
        ), \(beginning)
        """)

    private static let deletion = Statement(
        "delete",
        """
        WITH gone AS (
            DELETE FROM workflow.session WHERE id = $1 RETURNING number, version
        ), noted AS (
            UPDATE workflow.deleted SET version = greatest(deleted.version, gone.version) FROM gone
        )
        SELECT number FROM gone
        """)

    private static let clearing = Statement(
        "clear",
        """
        WITH a AS (DELETE FROM workflow.input WHERE session = $1),
            b AS (DELETE FROM workflow.snapshot WHERE session = $1),
            c AS (DELETE FROM workflow.receipt WHERE session = $1),
            d AS (DELETE FROM workflow.cut WHERE session = $1)
        DELETE FROM workflow.notice WHERE session = $1
        """)

    private static let compaction = Statement(
        "compact",
        """
        WITH s AS MATERIALIZED (
            SELECT number, step FROM workflow.session WHERE id = $1 FOR UPDATE
        ), latest AS (
            SELECT s.number, max(t.step) AS step FROM s
            JOIN workflow.snapshot t ON t.session = s.number AND t.step <= s.step GROUP BY s.number
        ), inputs AS (
            DELETE FROM workflow.input t USING latest
            WHERE t.session = latest.number AND t.step <= latest.step
        ), snapshots AS (
            DELETE FROM workflow.snapshot t USING latest
            WHERE t.session = latest.number AND t.step < latest.step
        )
        SELECT number FROM s
        """)
}

extension Parameter {
    /// The bits of an id or a digest.
    static func integer(bits: UInt64) -> Parameter { .integer(Int(bitPattern: UInt(bits))) }
}
