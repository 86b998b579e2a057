import GRDB
import Synchronization

/// The receipts of requests, of which each that is added takes a few old ones away.
///
/// There is no index by time, which would be as large as the table. A hand goes round the table instead, by a few rows for
/// each receipt that is added, so that at any time few rows are older than they need be.
final class ReceiptTable: Sendable {
    /// How many rows the hand goes by for each row that is added.
    private static let rowsPerInsertion = 8

    /// The last row that was looked at.
    private struct Hand {
        var session = 0
        var key = StoredKey(key: "")
    }

    private let hand = Mutex(Hand())

    /// Whether one of these keys is known.
    func hasAny(of receipts: [Receipt], of number: Int, _ db: Database) throws -> Bool {
        guard !receipts.isEmpty else { return false }
        let search = try db.cachedStatement(
            sql: "SELECT 1 FROM receipt WHERE session = ? AND key = ?")
        return try receipts.contains { receipt in
            try Int.fetchOne(search, arguments: [number, StoredKey(key: receipt.key)]) != nil
        }
    }

    /// Notes that the steps after one are given up by the change to a version.
    ///
    /// The receipts of these steps stay as they are, since they may be many.
    func giveUp(after step: Int, of number: Int, version: Int, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM cut WHERE session = ? AND keeping >= ?")
            .execute(arguments: [number, step])
        try db.cachedStatement(
            sql: "INSERT INTO cut (session, keeping, version) VALUES (?, ?, ?)"
        ).execute(arguments: [number, step, version])
    }

    /// The receipt of a session that has a key; `nil` if the key is not known.
    func receipt(_ key: String, of id: String, _ db: Database) throws -> Receipt? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT digest, step, input_count, is_given_up OR version < coalesce(
                        (SELECT version FROM cut WHERE session = receipt.session
                            AND keeping < receipt.step ORDER BY keeping DESC LIMIT 1), 0)
                    FROM receipt
                    WHERE session = (SELECT number FROM session WHERE id = ?) AND key = ?
                    """), arguments: [id, StoredKey(key: key)])
        return row.map { row in
            Receipt(
                key: key, digest: UInt64(bitPattern: row[0] as Int64), step: row[1],
                inputCount: row[2], isGivenUp: row[3])
        }
    }

    /// Adds receipts.
    ///
    /// - Parameters:
    ///   - version: The version of the session that they come with.
    ///   - milliseconds: The time now.
    func insert(
        _ receipts: [Receipt], of number: Int, version: Int, at milliseconds: Int, _ db: Database
    ) throws {
        guard !receipts.isEmpty else { return }
        let insertion = try db.cachedStatement(
            sql: """
                INSERT INTO receipt (session, key, digest, step, input_count, version, is_given_up,
                    time)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for receipt in receipts {
            try insertion.execute(
                arguments: [
                    number, StoredKey(key: receipt.key), Int64(bitPattern: receipt.digest),
                    receipt.step, receipt.inputCount, version, receipt.isGivenUp,
                    milliseconds / 1000,
                ])
        }
        try removeOld(
            before: (milliseconds - Receipt.lifetime) / 1000,
            among: receipts.count * Self.rowsPerInsertion, db)
    }

    /// Moves the hand on and removes what is old on its way.
    private func removeOld(before time: Int, among count: Int, _ db: Database) throws {
        let start = hand.withLock { $0 }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT session, key, time FROM receipt WHERE (session, key) > (?, ?)
                    ORDER BY session, key LIMIT ?
                    """), arguments: [start.session, start.key, count])
        let removal = try db.cachedStatement(
            sql: "DELETE FROM receipt WHERE session = ? AND key = ?")
        for row in rows where row[2] < time {
            try removal.execute(arguments: [row[0] as Int, row[1] as StoredKey])
        }
        // At the end it begins anew.
        let end = rows.count < count ? nil : rows.last
        let next = end.map { Hand(session: $0[0], key: $0[1]) } ?? Hand()
        hand.withLock { $0 = next }
    }
}

extension Receipt {
    var request: RequestKey { RequestKey(key, digest: digest) }
}
