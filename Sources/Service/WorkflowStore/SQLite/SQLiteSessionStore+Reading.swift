import GRDB

extension SQLiteSessionStore {
    private static let columns = """
        SELECT id, number, flow, code, version, change, step, step_count, wake_at, created, updated,
            max(first_step, coalesce((SELECT min(step) FROM snapshot WHERE session = number), 0))
                AS first_step, screen,
            (SELECT owner FROM partition WHERE partition.number = session.partition)
        FROM session
        """

    /// The summary of a session; see ``SessionStore``.
    ///
    /// - Throws: As ``SessionStore/summary(of:)``.
    public func summary(of id: String) async throws(StoreError) -> SessionSummary {
        try await read { db in try session(id, db) }
    }

    /// The contents of a session; see ``SessionStore/load(_:reaching:through:)``.
    ///
    /// ```swift
    /// let contents = try await store.load("groceries", reaching: 5, through: 9)
    /// print(contents.inputs.count)  // at least 4: the steps 6 to 9
    /// ```
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
        let (summary, base, document, rows) = try await read { db in
            let summary = try session(id, db)
            let (target, last) = try summary.range(reaching: step, through: last)
            let snapshot = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT step, document FROM snapshot WHERE session = ? AND step <= ?
                        ORDER BY step DESC LIMIT 1
                        """), arguments: [summary.number, target])
            guard let snapshot else { throw StoreError.damaged(id, "it has no snapshot") }
            let base = try snapshot.natural(0, of: id)
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT time, document FROM input
                        WHERE session = ? AND step > ? AND step <= ? ORDER BY step
                        """), arguments: [summary.number, base, last]
            ).map { StoredInput(time: try $0.time(0, of: id), text: $0[1]) }
            guard base + rows.count == max(base, last) else {
                throw StoreError.damaged(id, "inputs are missing")
            }
            return (summary, base, snapshot[1] as String, rows)
        }
        return try SessionContents(summary, snapshot: document, at: base, inputs: rows)
    }

    /// The last step that no change since a version dropped; see ``SessionStore``.
    ///
    /// ```swift
    /// if let kept = try await store.keptStep(of: "groceries", since: 12) {
    ///     print("what was known of the steps after \(kept) is not true any more")
    /// }
    /// ```
    ///
    /// - Throws: As ``SessionStore/keptStep(of:since:)``.
    public func keptStep(
        of id: String, since version: Int
    ) async throws(StoreError) -> Int? {
        try await read { db in
            try Self.requireName(id)
            return try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT keeping FROM cut
                        WHERE session = (SELECT number FROM session WHERE id = ?) AND version > ?
                        ORDER BY keeping LIMIT 1
                        """), arguments: [id, version])?.natural(0, of: id)
        }
    }

    /// The receipts with some keys; see ``SessionStore``.
    ///
    /// ```swift
    /// let receipts = try await store.receipts(["pay-17", "pay-18"], of: "order")
    /// print(receipts.map(\.key))  // ["pay-17"]: the other one is not done
    /// ```
    ///
    /// - Throws: As ``SessionStore/receipts(_:of:)``.
    public func receipts(
        _ keys: [String], of id: String
    ) async throws(StoreError) -> [Receipt] {
        try await read { [receiptTable] db in
            try Self.requireName(id)
            return try keys.compactMap { try receiptTable.receipt($0, of: id, db) }
        }
    }

    /// A page of summaries; see ``SessionStore/list(flow:after:limit:)``.
    ///
    /// ```swift
    /// var page = try await store.list(flow: "todo", after: nil, limit: 100)
    /// while let next = page.next {
    ///     page = try await store.list(flow: "todo", after: next, limit: 100)
    /// }
    /// ```
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
        let (end, most) = (try SessionPage.end(after), max(1, limit))
        if let flow, !flow.isName { return SessionPage(sessions: [], next: nil) }
        return try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: Self.page(ofFlow: flow != nil)),
                arguments: StatementArguments(
                    flow.map { [$0, end, most + 1] } ?? [end, most + 1]))
            return SessionPage(
                try rows.map { try SessionSummary($0, readBy: host.number) }, most: most)
        }
    }

    static func page(ofFlow hasFlow: Bool) -> String {
        columns + (hasFlow ? " WHERE flow = ? AND number < ?" : " WHERE number < ?")
            + " ORDER BY number DESC LIMIT ?"
    }

    static let wakeUps = "SELECT number, wake_at FROM session WHERE wake_at IS NOT NULL"

    /// The wake-ups of sleeping sessions; see ``SessionStore``.
    ///
    /// - Throws: As ``SessionStore/wakeUps()``.
    public func wakeUps() async throws(StoreError) -> [WakeUp] {
        try await read { db in try Self.wakeUps(Row.fetchCursor(db, sql: Self.wakeUps)) }
    }

    static func wakeUps(_ rows: RowCursor) throws -> [WakeUp] {
        var wakeUps: [WakeUp] = []
        while let row = try rows.next() { WakeUp(row).map { wakeUps.append($0) } }
        return wakeUps
    }

    /// The ids of sessions by number; see ``SessionStore``.
    ///
    /// ```swift
    /// let wakeUps = try await store.wakeUps()
    /// let ids = try await store.ids(of: wakeUps.map(\.number))
    /// ```
    ///
    /// - Throws: As ``SessionStore/ids(of:)``.
    public func ids(of numbers: [Int]) async throws(StoreError) -> [Int: String] {
        try await read { db in
            let search = try db.cachedStatement(sql: "SELECT id FROM session WHERE number = ?")
            var ids: [Int: String] = [:]
            for number in numbers { ids[number] = try String.fetchOne(search, arguments: [number]) }
            return ids
        }
    }

    /// The files with a hash; see ``SessionStore``.
    ///
    /// - Throws: As ``SessionStore/code(_:)``.
    public func code(_ hash: String) async throws(StoreError) -> FlowCode? {
        try await read { db in
            let search = try db.cachedStatement(sql: "SELECT main, files FROM code WHERE hash = ?")
            return try Row.fetchOne(search, arguments: [hash]).map { row in
                try FlowCode(hash: hash, main: row[0], text: row[1])
            }
        }
    }

    func session(_ id: String, _ db: Database) throws -> SessionSummary {
        try Self.requireName(id)
        let row = try Row.fetchOne(
            db.cachedStatement(sql: Self.columns + " WHERE id = ?"), arguments: [id])
        guard let row else { throw StoreError.notFound(id) }
        return try SessionSummary(row, readBy: host.number)
    }
}
