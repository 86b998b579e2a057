import GRDB
import Synchronization
import WorkerKit

/// Stores sessions in an SQLite file.
///
/// ```swift
/// let store = try SQLiteSessionStore(path: file)
/// let session = try await StoredSession.open(
///     "kitchen", of: .file(tea), in: store, options: options)
/// try await session.send(["type": "brew"])
/// ```
///
/// Any number of processes on one machine may use the file at the same time. If one of the files is
/// removed or replaced while it is in use, each later call fails with the code `io`.
///
/// - Warning: The file is in WAL mode: while it is in use, some of its contents are in a `-wal` and
///   a `-shm` file beside it, and a copy of the file alone lacks them; use ``backup(to:)``.
public struct SQLiteSessionStore: SessionStore {
    /// The failures that an acknowledged change survives.
    ///
    /// A crash never damages the file, and never leaves part of a change.
    public enum Synchronization: String, Sendable, CaseIterable {
        /// Everything: the end of the process, including `kill -9`, a crash of the system, and a
        /// power cut. Each change waits for the disk.
        case full = "FULL"
        /// The end of the process, including `kill -9`. A crash of the system or a power cut can
        /// lose the last changes, but never some of the earlier ones.
        case normal = "NORMAL"
    }

    let pool: DatabasePool
    let synchronization: Synchronization
    let file: OpenedFile
    /// The record of this process among the hosts of the store; see ``SharedSessionStore``.
    let host: StoreHost
    let beatThread = WorkerThreads(limit: 1)
    let commonCommit: CommonCommit
    private let changes: BatchQueue<CommonCommit.Change, Void>
    let receiptTable = ReceiptTable()
    /// The threads on which reads wait for the disk, as many as GRDB has connections.
    private let readers = WorkerThreads(limit: 5)

    /// Opens a store, and creates it if there is no such file.
    ///
    /// An older store is upgraded. A file that is not a store, or a newer one, is not touched.
    ///
    /// ```swift
    /// let store = try SQLiteSessionStore(path: "sessions.db", synchronization: .normal)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file. Its folder must exist.
    ///   - synchronization: The failures that acknowledged changes survive.
    ///   - onCommit: Called after each commit with the number of the changes that shared it.
    /// - Throws: A ``StoreError``: `foreign`, `newer`, `corrupted`, `busy`, `full` or `io`.
    public init(
        path: String, synchronization: Synchronization = .full,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(
            path: path, synchronization: synchronization, patience: StoreBeat.patience,
            onCommit: onCommit)
    }

    init(
        path: String, synchronization: Synchronization, patience: Duration,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) {
        self.init(
            try StoreFile(path: path).open(synchronization), synchronization, patience: patience,
            onCommit: onCommit)
    }

    /// Opens a store for reading. Other processes may use it at the same time.
    ///
    /// ```swift
    /// let reader = try SQLiteSessionStore(reading: "sessions.db")
    /// try await reader.compact("groceries")  // throws, since it only reads
    /// ```
    ///
    /// - Throws: A ``StoreError`` as ``init(path:synchronization:onCommit:)``; also `foreign` if
    ///   there is no such file, or an older version made it and it was not upgraded.
    public init(reading path: String) throws(StoreError) {
        self.init(
            try StoreFile(path: path).openForReading(), .full, patience: StoreBeat.patience,
            onCommit: { _ in })
    }

    private init(
        _ opened: StoreFile.Opened, _ synchronization: Synchronization, patience: Duration,
        onCommit: @escaping @Sendable (Int) -> Void
    ) {
        pool = opened.pool
        self.synchronization = synchronization
        file = opened.file
        host = StoreHost(
            path: opened.pool.path, configuration: StoreFile.configuration, patience: patience)
        let commonCommit = CommonCommit(pool: opened.pool, file: opened.file, onCommit: onCommit)
        self.commonCommit = commonCommit
        changes = BatchQueue(execute: commonCommit.make)
    }

    /// Checks the whole file for damage.
    ///
    /// ```swift
    /// let problems = try await store.check()
    /// print(problems)  // []
    /// ```
    ///
    /// - Important: It takes a while for a large file.
    /// - Returns: The problems, one sentence each.
    /// - Throws: A ``StoreError``: `io`, `busy`, or `corrupted` if the file cannot even be read.
    public func check() async throws(StoreError) -> [String] {
        try await read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
                + Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { "a row is lost: \($0)" }
                + String.fetchAll(
                    db,
                    sql: """
                        SELECT 'the inputs of ' || id || ' have holes' FROM session
                        WHERE step > step_count OR step_count - coalesce(
                            (SELECT min(step) FROM snapshot WHERE session = number), -1)
                            != (SELECT count(*) FROM input WHERE session = number)
                        """)
        }
    }

    /// Copies one moment of the store to a new file. Others may use the store meanwhile.
    ///
    /// ```swift
    /// try await store.backup(to: "monday.db")
    /// try await store.backup(to: "monday.db")  // throws exists
    /// ```
    ///
    /// - Throws: A ``StoreError``, with the code `exists` if there is such a file.
    public func backup(to path: String) async throws(StoreError) {
        do {
            try await withTaskExecutorPreference(readers) {
                try file.checkPlace()
                try StoreFile(path: path).copy(of: pool)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Closes the file; see ``SharedSessionStore/close()``. Releasing a store closes its file too.
    ///
    /// If no other process uses the store, the files beside it are gone then.
    ///
    /// - Throws: As ``SharedSessionStore/close()``.
    public func close() throws(StoreError) {
        do {
            guard !pool.configuration.readonly else { return try pool.close() }
            // Also into a file that is no longer in its place.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
            guard (try? file.checkPlace()) != nil else { return try pool.close() }
            // The pool closes its readers last, and only a connection that writes can tidy up.
            let last = try DatabaseQueue(path: pool.path, configuration: StoreFile.configuration)
            _ = try last.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM host") }
            try pool.close()
            try last.close()
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }

    // MARK: Access

    /// Reads on a thread that may wait for the disk: on the current one, if it is such a thread.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws(StoreError) -> T {
        do {
            if WorkerThreads.isCurrentThread { return try readNow(body) }
            return try await withTaskExecutorPreference(readers) { try readNow(body) }
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }

    private func readNow<T>(_ body: (Database) throws -> T) throws -> T {
        try file.checkPlace()
        return try pool.read(body)
    }

    /// Changes the file, all or nothing. `body` may throw a ``StoreError`` only before any change.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws(StoreError) -> T {
        let outcome = Mutex<Result<T, any Error>>(.failure(CancellationError()))
        do {
            try await changes.answer { db in
                let value = try body(db)
                outcome.withLock { $0 = .success(value) }
            }
            return try outcome.withLock(\.self).get()
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }
}
