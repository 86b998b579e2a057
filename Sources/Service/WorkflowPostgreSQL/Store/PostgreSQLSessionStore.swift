import CPostgreSQL
public import WorkflowStore

/// Stores sessions in a PostgreSQL database for any number of hosts on any machines.
///
/// An acknowledged change is as durable as a commit of the database: see its `synchronous_commit`
/// and `synchronous_standby_names`. libpq is loaded with the first store.
///
/// ```swift
/// let store = try await PostgreSQLSessionStore("postgres://flows@db1,db2/flows")
/// ```
public struct PostgreSQLSessionStore: SharedSessionStore {
    let pool: ConnectionPool
    let writer: ChangeWriter
    /// The changes on their way to the database, and the receipts that are looked for.
    let appends: BatchQueue<PreparedChange, Int>
    let lookUps: BatchQueue<ReceiptLookUp, [Receipt]>
    /// The record of this process among the hosts of the store; see `SharedSessionStore`.
    let host: StoreHost
    /// The database's settings `fsync`, `synchronous_commit` and `synchronous_standby_names` when
    /// the store was opened; see `SharedSessionStore`.
    public let durability: [String: String]

    /// Opens a store, and makes or upgrades its tables in the schema `workflow`.
    ///
    /// ```swift
    /// let store = try await PostgreSQLSessionStore("host=db1 dbname=flows") { count in
    ///     print("\(count) changes by one statement")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - address: A URI, or pairs of `keyword=value`, as libpq takes them
    ///     (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING). Several
    ///     servers may be named; the one that takes changes is used.
    ///   - onCommit: Called after each statement with the number of its changes; simultaneous
    ///     changes share a statement.
    /// - Throws: A `StoreError` with the code `io`, `newer` or `busy`.
    public init(
        _ address: String, onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(StoreError) {
        try await self.init(address, patience: StoreBeat.patience, onCommit: onCommit)
    }

    init(
        _ address: String, patience: Duration,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws(StoreError) {
        try await self.init(address, patience, onCommit, prepare: Schema.migrate)
    }

    /// Opens a store for reading. Nothing is made or upgraded.
    ///
    /// ```swift
    /// let reader = try await PostgreSQLSessionStore(reading: "postgres://flows@db1/flows")
    /// print(try await reader.list(flow: "todo").sessions.map(\.id))
    /// ```
    ///
    /// - Throws: A `StoreError` as ``init(_:onCommit:)``; also `foreign` if there is no store.
    public init(reading address: String) async throws(StoreError) {
        try await self.init(
            address, StoreBeat.patience, { _ in }, prepare: Schema.require)
    }

    private init(
        _ address: String, _ patience: Duration, _ onCommit: @escaping @Sendable (Int) -> Void,
        prepare: @escaping @Sendable (Connection, String) throws -> Void
    ) async throws(StoreError) {
        if let failure = workflow_pq_load() { throw .noLibrary(String(cString: failure)) }
        let address = DatabaseAddress(text: address)
        pool = ConnectionPool(address, limit: 5)
        host = StoreHost(address, patience: patience)
        let writer = ChangeWriter(address, host, onCommit: onCommit)
        self.writer = writer
        appends = BatchQueue(
            count: 512, bytes: 1 << 20, size: \.size, name: \.id, execute: writer.write)
        lookUps = BatchQueue(count: 512) { [pool] lookUps in
            try pool.useNow(repeats: true) { try ReceiptLookUp.find(lookUps, $0) }
        }
        durability = try await pool.use(repeats: true) { connection in
            guard connection.serverVersion >= 12_00_00 else {
                throw StoreError.oldServer(address.redacted)
            }
            try prepare(connection, address.redacted)
            let rows = try connection.execute(Self.settings)
            return Dictionary(
                rows.all.map { ($0.text(0) ?? "", $0.text(1) ?? "") }
            ) { first, _ in first }
        }
    }

    /// Closes the connections that nobody uses; see `SharedSessionStore`. It does not throw.
    public func close() throws(StoreError) {
        pool.close()
        writer.close()
    }

    private static let settings = Statement(
        "settings",
        """
        SELECT name, setting FROM pg_settings
        WHERE name IN ('fsync', 'synchronous_commit', 'synchronous_standby_names')
        """)
}

// MARK: Hosts

extension PostgreSQLSessionStore {
    /// Beats; see `SharedSessionStore`.
    ///
    /// ```swift
    /// let beat = try await store.beat()
    /// print(try await store.ids(of: beat.taken.map(\.number)))  // what this host runs from now on
    /// ```
    ///
    /// - Throws: As `SharedSessionStore/beat()`.
    public func beat() async throws(StoreError) -> StoreBeat {
        do throws(StoreError) {
            let beat = try await host.beat()
            // A database that takes beats takes changes.
            writer.note(nil)
            return beat
        } catch {
            writer.note(error)
            throw error
        }
    }

    /// The sessions that have another version; see `SharedSessionStore`.
    ///
    /// - Throws: As `SharedSessionStore/changed(since:)`.
    public func changed(since versions: [String: Int]) async throws(StoreError) -> [String] {
        if versions.isEmpty { return [] }
        return try await pool.use(repeats: true) { connection in
            try connection.execute(
                Self.changed, [.texts(Array(versions.keys)), .integers(Array(versions.values))]
            ).all.compactMap { $0.text(0) }
        }
    }

    private static let changed = Statement(
        "changed",
        """
        SELECT c.id FROM unnest($1, $2) AS c (id, version)
        LEFT JOIN workflow.session s ON s.id = c.id WHERE s.version IS DISTINCT FROM c.version
        """)

    /// Leaves the partitions of this host; see `SharedSessionStore`.
    ///
    /// - Throws: As `SharedSessionStore/leave()`.
    public func leave() async throws(StoreError) { try await host.leave() }

    /// Does nothing: a database has no place that could be lost; see `SharedSessionStore`.
    public func checkPlace() throws(StoreError) {}

    /// True if there was another host; see `SharedSessionStore`.
    public var hasOtherHosts: Bool { host.hasOthers }

    /// The error of the last commit; see `SharedSessionStore`.
    public var trouble: StoreError? { writer.trouble }
}
