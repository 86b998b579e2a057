import GRDB
import Synchronization

/// The record of this process among the hosts of a store. Times are SQLite's, so hosts compare only
/// what one clock said.
final class StoreHost: Sendable {
    private struct Partition {
        let number: Int
        /// Another host that takes the partition over raises it, which fences this one off.
        let epoch: Int
    }

    private struct State {
        /// Never given to two hosts; `nil` before the first beat.
        var number: Int?
        /// The partition of the sessions whose workers this host starts.
        var partition: Partition?
        var hasOthers = false
        var beats: DatabaseQueue?
    }

    private static let now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    private let path: String
    private let configuration: Configuration
    /// In milliseconds; see ``StoreBeat/patience``.
    private let patience: Int
    private let state = Mutex(State())

    init(path: String, configuration: Configuration, patience: Duration) {
        self.path = path
        self.configuration = configuration
        self.patience = Int(patience / .milliseconds(1))
    }

    var number: Int? { state.withLock(\.number) }

    var hasOthers: Bool { state.withLock(\.hasOthers) }

    /// The partition for a session whose workers this host starts; `nil` if this process is not a
    /// host, or another host has taken the partition over.
    func partition(_ db: Database) throws -> Int? {
        guard let own = state.withLock(\.partition) else { return nil }
        let search = try db.cachedStatement(
            sql: "SELECT number FROM partition WHERE number = ? AND epoch = ?")
        return try Int.fetchOne(search, arguments: [own.number, own.epoch])
    }

    /// Beats; see ``SharedSessionStore/beat()``. Waits for the disk.
    func beat() throws -> StoreBeat {
        let beats = try beats()
        let known = number
        let (number, partition, hasOthers, taken, changed) = try beats.write { db in
            let now = try Int.fetchOne(db, sql: "SELECT \(Self.now)") ?? 0
            let living = try living(known, at: now, db)
            let number = try Self.register(known, at: now, db)
            let taken = try Self.takeOver(by: number, living, db)
            let partition = try Self.partition(of: number, db)
            try Self.tidy(number, partition, db)
            let adopted = try Self.adopt(into: partition, db)
            let others = try db.cachedStatement(sql: "SELECT 1 FROM host WHERE number != ?")
            let hasOthers = try Int.fetchOne(others, arguments: [number]) != nil
            let changed = try Self.takeNotices(of: number, db)
            return (number, partition, hasOthers, taken + adopted, changed)
        }
        state.withLock { state in
            state.number = number
            state.partition = partition
            state.hasOthers = hasOthers
        }
        return StoreBeat(
            taken: taken, changed: changed, wasLate: known != nil && known != number)
    }

    /// Leaves the partitions to others; see ``SharedSessionStore/leave()``.
    func leave() throws {
        let (number, beats) = state.withLock { state in
            defer { state = State() }
            return (state.number, state.beats)
        }
        guard let number, let beats else { return }
        try beats.write { db in
            try db.execute(sql: "UPDATE host SET seen = 0 WHERE number = ?", arguments: [number])
        }
        try beats.close()
    }

    /// A connection that does not wait for the disk: a beat that a power cut undoes is not missed.
    private func beats() throws -> DatabaseQueue {
        if let beats = state.withLock(\.beats) { return beats }
        let beats = try DatabaseQueue(path: path, configuration: configuration)
        try beats.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        state.withLock { $0.beats = beats }
        return beats
    }

    // MARK: Steps of a beat

    /// The last beats of hosts that are alive. If this one has not beaten in time itself, because
    /// the store was locked, the computer slept or its clock was set, the others had no chance to
    /// do so: only those that left are not alive.
    private func living(
        _ known: Int?, at now: Int, _ db: Database
    ) throws -> ClosedRange<Int> {
        let inTime = (now - patience)...(now + patience)
        guard let known else { return inTime }
        let search = try db.cachedStatement(sql: "SELECT seen FROM host WHERE number = ?")
        let last = try Int.fetchOne(search, arguments: [known])
        return last.map(inTime.contains) ?? true ? inTime : 1...Int.max
    }

    /// Renews the row of a host. One that was given up becomes a new host.
    private static func register(_ known: Int?, at now: Int, _ db: Database) throws -> Int {
        if let known {
            try db.cachedStatement(sql: "UPDATE host SET seen = ? WHERE number = ?")
                .execute(arguments: [now, known])
            if db.changesCount == 1 { return known }
        }
        try db.execute(sql: "INSERT INTO host (seen) VALUES (?)", arguments: [now])
        return Int(db.lastInsertedRowID)
    }

    /// Takes over the partitions of hosts that ended, and returns the wake-ups of their sessions.
    private static func takeOver(
        by number: Int, _ living: ClosedRange<Int>, _ db: Database
    ) throws -> [WakeUp] {
        let search = try db.cachedStatement(
            sql: """
                SELECT number FROM partition WHERE owner NOT IN
                    (SELECT number FROM host WHERE number = ? OR seen BETWEEN ? AND ?)
                """)
        let arguments: StatementArguments = [number, living.lowerBound, living.upperBound]
        let left = try Int.fetchAll(search, arguments: arguments)
        var taken: [WakeUp] = []
        for partition in left {
            try db.execute(
                sql: "UPDATE partition SET owner = ?, epoch = epoch + 1 WHERE number = ?",
                arguments: [number, partition])
            taken += try SQLiteSessionStore.wakeUps(
                Row.fetchCursor(
                    db,
                    sql: SQLiteSessionStore.wakeUps + " AND partition = ?",
                    arguments: [partition]))
        }
        try db.cachedStatement(
            sql: "DELETE FROM host WHERE number != ? AND seen NOT BETWEEN ? AND ?"
        ).execute(arguments: arguments)
        return taken
    }

    /// The partition for new workers, which the host makes with its first beat.
    private static func partition(of number: Int, _ db: Database) throws -> Partition {
        let search = try db.cachedStatement(
            sql: "SELECT number, epoch FROM partition WHERE owner = ? AND epoch = 1")
        if let row = try Row.fetchOne(search, arguments: [number]) {
            return Partition(number: row[0], epoch: row[1])
        }
        try db.execute(
            sql: "INSERT INTO partition (owner, epoch) VALUES (?, 1)", arguments: [number])
        return Partition(number: Int(db.lastInsertedRowID), epoch: 1)
    }

    /// Removes the other partitions of a host that have no sessions left.
    private static func tidy(_ number: Int, _ own: Partition, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM partition WHERE owner = ? AND number != ? AND NOT EXISTS (
                    SELECT 1 FROM session
                    WHERE session.partition = partition.number AND wake_at IS NOT NULL)
                """
        ).execute(arguments: [number, own.number])
    }

    /// Takes the notices of changes by other hosts.
    private static func takeNotices(of number: Int, _ db: Database) throws -> [Int] {
        let search = try db.cachedStatement(
            sql: """
                SELECT notice.session FROM notice
                JOIN session ON session.number = notice.session
                LEFT JOIN partition ON partition.number = session.partition
                WHERE owner IS NULL OR owner = ?
                """)
        let changed = try Int.fetchAll(search, arguments: [number])
        for session in changed {
            try db.execute(sql: "DELETE FROM notice WHERE session = ?", arguments: [session])
        }
        return changed
    }

    /// Takes the sessions with workers that belong to no partition, because no host wrote them.
    private static func adopt(into own: Partition, _ db: Database) throws -> [WakeUp] {
        let search = try db.cachedStatement(
            sql: SQLiteSessionStore.wakeUps + " AND partition IS NULL")
        let found = try SQLiteSessionStore.wakeUps(Row.fetchCursor(search))
        guard !found.isEmpty else { return [] }
        try db.execute(
            sql: """
                UPDATE session SET partition = ?
                WHERE wake_at IS NOT NULL AND partition IS NULL
                """, arguments: [own.number])
        return found
    }
}

extension SQLiteSessionStore: SharedSessionStore {
    /// Beats; see ``SharedSessionStore``.
    ///
    /// ```swift
    /// while (try? await Task.sleep(for: StoreBeat.interval)) != nil {
    ///     print(try await store.beat().taken)  // sessions whose host has ended
    /// }
    /// ```
    ///
    /// - Throws: As ``SharedSessionStore/beat()``.
    public func beat() async throws(StoreError) -> StoreBeat {
        let beat: StoreBeat
        do throws(StoreError) {
            beat = try await onBeatThread { [file, host] in
                try file.checkPlace()
                return try host.beat()
            }
        } catch {
            commonCommit.note(error)
            throw error
        }
        // A commit that waits for the disk, as the one that failed.
        if commonCommit.trouble != nil {
            try await write { db in try db.execute(sql: "UPDATE host SET seen = seen") }
        }
        return beat
    }

    /// The sessions that have another version; see ``SharedSessionStore``.
    ///
    /// ```swift
    /// let known = try await store.summary(of: "groceries")
    /// print(try await store.changed(since: ["groceries": known.version]))  // []
    /// ```
    ///
    /// - Throws: As ``SharedSessionStore/changed(since:)``.
    public func changed(since versions: [String: Int]) async throws(StoreError) -> [String] {
        if versions.isEmpty { return [] }
        return try await read { db in
            let search = try db.cachedStatement(sql: "SELECT version FROM session WHERE id = ?")
            return try versions.filter { id, version in
                try Int.fetchOne(search, arguments: [id]) != version
            }.map(\.key)
        }
    }

    /// Leaves the partitions of this host; see ``SharedSessionStore``.
    ///
    /// - Throws: As ``SharedSessionStore/leave()``.
    public func leave() async throws(StoreError) {
        try await onBeatThread { [host] in try host.leave() }
    }

    /// Checks that the file is the one that was opened; see ``SharedSessionStore``.
    ///
    /// - Throws: As ``SharedSessionStore/checkPlace()``.
    public func checkPlace() throws(StoreError) { try file.checkPlace() }

    /// The setting `synchronous`; see ``Synchronization``.
    public var durability: [String: String] { ["synchronous": synchronization.rawValue] }

    /// True if there was another host; see ``SharedSessionStore``.
    public var hasOtherHosts: Bool { host.hasOthers }

    /// The error of the last commit; see ``SharedSessionStore``.
    public var trouble: StoreError? {
        do throws(StoreError) { try file.checkPlace() } catch { return error }
        return commonCommit.trouble
    }

    private func onBeatThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(StoreError) -> Result {
        do {
            return try await withTaskExecutorPreference(beatThread) { try body() }
        } catch {
            throw StoreError(error, path: pool.path)
        }
    }
}
