public import WorkflowStore

extension PostgreSQLSessionStore {
    private static let columns = """
        SELECT id, s.number, flow, code, s.version, change, step, step_count, wake_at, created,
            updated, greatest(first_step, (
                SELECT min(t.step) FROM workflow.snapshot t WHERE t.session = s.number))
                AS first_step,
            screen, p.owner
        FROM workflow.session s LEFT JOIN workflow.partition p ON p.number = s.partition
        """

    private static let oneSummary = Statement("summary", columns + " WHERE id = $1")
    private static let page = Statement(
        "page", columns + " WHERE s.number < $1 ORDER BY s.number DESC LIMIT $2")
    private static let pageOfFlow = Statement(
        "page_of_flow",
        columns + " WHERE flow = $3 AND s.number < $1 ORDER BY s.number DESC LIMIT $2")
    private static let lastSnapshot = Statement(
        "snapshot",
        """
        SELECT step, document FROM workflow.snapshot WHERE session = $1 AND step <= $2
        ORDER BY step DESC LIMIT 1
        """)
    private static let inputs = Statement(
        "inputs",
        """
        SELECT time, document FROM workflow.input
        WHERE session = $1 AND step > $2 AND step <= $3 ORDER BY step
        """)
    private static let keptStep = Statement(
        "kept_step",
        """
        SELECT min(c.keeping) FROM workflow.cut c JOIN workflow.session s ON s.number = c.session
        WHERE s.id = $1 AND c.version > $2
        """)
    private static let allWakeUps = Statement(
        "wake_ups",
        """
        SELECT number, wake_at FROM workflow.session
        WHERE partition IS NOT NULL AND wake_at IS NOT NULL
        """)
    private static let idsOfNumbers = Statement(
        "ids", "SELECT number, id FROM workflow.session WHERE number = ANY ($1)")

    /// The summary of a session; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/summary(of:)`.
    public func summary(of id: String) async throws(StoreError) -> SessionSummary {
        try Self.requireName(id)
        return try await pool.use(repeats: true) { try session(id, $0) }
    }

    /// The contents of a session; see `SessionStore`.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - step: The step to reach; `nil` for the current one.
    ///   - last: The last step to load; `nil` for the session's last.
    /// - Returns: The last snapshot at or before the step, and the inputs after it.
    /// - Throws: A `StoreError` with the code `not_found`, or `no_such_step` for a dropped step.
    public func load(
        _ id: String, reaching step: Int?, through last: Int?
    ) async throws(StoreError) -> SessionContents {
        try Self.requireName(id)
        let (summary, base, document, inputs) = try await pool.use(repeats: true) { connection in
            // One moment of the session.
            try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                let summary = try session(id, connection)
                let (target, last) = try summary.range(reaching: step, through: last)
                let snapshot = try connection.execute(
                    Self.lastSnapshot, [.integer(summary.number), .integer(target)]
                ).first
                guard let snapshot, let document = snapshot.text(1) else {
                    throw StoreError.damaged(id, "it has no snapshot")
                }
                let base = try snapshot.natural(0, of: id)
                let inputs = try connection.execute(
                    Self.inputs, [.integer(summary.number), .integer(base), .integer(last)]
                ).all.map {
                    StoredInput(time: try $0.time(0, of: id), text: $0.text(1) ?? "")
                }
                guard base + inputs.count == max(base, last) else {
                    throw StoreError.damaged(id, "inputs are missing")
                }
                return (summary, base, document, inputs)
            }
        }
        return try SessionContents(summary, snapshot: document, at: base, inputs: inputs)
    }

    /// The last step that no change since a version dropped; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/keptStep(of:since:)`.
    public func keptStep(
        of id: String, since version: Int
    ) async throws(StoreError) -> Int? {
        try Self.requireName(id)
        return try await pool.use(repeats: true) { connection in
            let rows = try connection.execute(Self.keptStep, [.text(id), .integer(version)])
            guard let row = rows.first, !row.isNull(0) else { return nil }
            return try row.natural(0, of: id)
        }
    }

    /// The receipts with some keys; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/receipts(_:of:)`.
    public func receipts(
        _ keys: [String], of id: String
    ) async throws(StoreError) -> [Receipt] {
        try Self.requireName(id)
        let lookUp = ReceiptLookUp(id: id, keys: keys.filter(\.isName))
        do { return try await lookUps.answer(lookUp) } catch {
            throw StoreError(error, of: pool.address.redacted)
        }
    }

    /// A page of summaries; see `SessionStore`.
    ///
    /// - Parameters:
    ///   - flow: The name of the flow; `nil` for all flows.
    ///   - after: The `next` of the previous page; `nil` for the first page.
    ///   - limit: The maximum number of sessions; less than 1 counts as 1.
    /// - Returns: The page, newest first.
    /// - Throws: A `StoreError` with the code `bad_page` if `after` is invalid.
    public func list(
        flow: String?, after: String?, limit: Int
    ) async throws(StoreError) -> SessionPage {
        let end = try SessionPage.end(after)
        if let flow, !flow.isName { return SessionPage(sessions: [], next: nil) }
        let most = max(1, min(limit, Int.max - 1))
        return try await pool.use(repeats: true) { [host] connection in
            let place: [Parameter] = [.integer(end), .integer(most + 1)]
            let rows =
                try flow.map {
                    try connection.execute(Self.pageOfFlow, place + [.text($0)])
                } ?? connection.execute(Self.page, place)
            assert(rows.count <= most + 1)
            return SessionPage(
                try rows.all.map { try SessionSummary($0, readBy: host.number) }, most: most)
        }
    }

    /// The wake-ups of sleeping sessions; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/wakeUps()`.
    public func wakeUps() async throws(StoreError) -> [WakeUp] {
        try await pool.use(repeats: true) { connection in
            try connection.execute(Self.allWakeUps).all.compactMap(WakeUp.init)
        }
    }

    /// The ids of sessions by number; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/ids(of:)`.
    public func ids(of numbers: [Int]) async throws(StoreError) -> [Int: String] {
        try await pool.use(repeats: true) { connection in
            var ids: [Int: String] = [:]
            for row in try connection.execute(Self.idsOfNumbers, [.integers(numbers)]).all {
                if let number = row.integer(0) { ids[number] = row.text(1) }
            }
            return ids
        }
    }

    /// The files with a hash; see `SessionStore`.
    ///
    /// - Throws: As `SessionStore/code(_:)`.
    public func code(_ hash: String) async throws(StoreError) -> FlowCode? {
        guard hash.isName else { return nil }
        return try await pool.use(repeats: true) { try CodeStatement.find(hash, $0) }
    }

    func session(_ id: String, _ connection: Connection) throws -> SessionSummary {
        guard let found = try find(id, connection) else { throw StoreError.notFound(id) }
        return found
    }

    func find(_ id: String, _ connection: Connection) throws -> SessionSummary? {
        try connection.execute(Self.oneSummary, [.text(id)]).first.map {
            try SessionSummary($0, readBy: host.number)
        }
    }
}
