import GRDB
import PlainValue
import WorkerKit
import WorkflowKit

/// Keeps sessions in an SQLite file.
///
/// Any number of processes on one machine may use the file at a time. It is in WAL mode, so that beside it there are a
/// `-wal` and a `-shm` file while it is in use: whoever copies the file alone while it is in use loses what is in these.
/// After the file was removed or replaced while it was in use, each call fails with the code `io` and changes nothing.
public struct SQLiteSessionStore: SessionStore {
    /// What a change survives once it is acknowledged.
    ///
    /// Whatever is chosen, no crash damages the file, and a change is in it whole or not at all.
    public enum Synchronization: String, Sendable, CaseIterable {
        /// All: the end of the process, also by `kill -9`, a crash of the system, a power cut. Each change waits for the
        /// disk.
        case full = "FULL"
        /// The end of the process, also by `kill -9`; a crash of the system or a power cut can take the last changes,
        /// never some of those before them.
        case normal = "NORMAL"
    }

    let pool: DatabasePool
    private let file: OpenedFile
    let commonCommit: CommonCommit
    let receiptTable = ReceiptTable()
    /// Where reads wait for the disk: their threads are soon called, and as many as GRDB has connections for.
    private let readers = WorkerThreads(limit: 5)

    /// Opens a store, and makes it if there is no such file.
    ///
    /// A store of an older version is brought up to date. A file that is no store, or a newer one, is not touched.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must be there.
    ///   - synchronization: What changes survive.
    ///   - onCommit: Called after each commit of changes with how many they are: those that come at a time are kept together.
    /// - Throws: A ``StoreError`` with the code `foreign`, `newer`, `corrupted`, `busy`, `full` or `io`.
    public init(
        path: String, synchronization: Synchronization = .full,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(StoreError) {
        self.init(try StoreFile(path: path).open(synchronization), onCommit: onCommit)
    }

    /// Opens a store for reading: nothing in it can be changed, and others may use it meanwhile.
    ///
    /// - Throws: A ``StoreError`` as ``init(path:synchronization:)``; `foreign` as well if there is no such file, or if it was
    ///   made by an older version and not brought up to date since.
    public init(reading path: String) throws(StoreError) {
        self.init(try StoreFile(path: path).openForReading(), onCommit: { _ in })
    }

    private init(_ opened: StoreFile.Opened, onCommit: @escaping @Sendable (Int) -> Void) {
        pool = opened.pool
        file = opened.file
        commonCommit = CommonCommit(pool: opened.pool, file: opened.file, onCommit: onCommit)
    }

    /// Looks the whole file over for damage, which takes a while for a large one.
    ///
    /// - Returns: What is wrong, a sentence each; nothing if all is well.
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

    /// Closes the file; later calls fail. A store that is released closes its file too.
    public func close() throws(StoreError) {
        do { try pool.close() } catch { throw StoreError(error, path: pool.path) }
    }

    // MARK: Access

    /// Reads, on a thread that may wait for the disk.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws(StoreError) -> T {
        do {
            return try await withTaskExecutorPreference(readers) { try readNow(body) }
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }

    private func readNow<T>(_ body: (Database) throws -> T) throws -> T {
        try file.checkPlace()
        return try pool.read(body)
    }

    /// Changes the file, all or nothing.
    ///
    /// - Parameter body: Throws a ``StoreError`` before it has changed anything.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws(StoreError) -> T {
        do { return try await commonCommit.write(body) } catch {
            throw StoreError(error, path: pool.path)
        }
    }
}
