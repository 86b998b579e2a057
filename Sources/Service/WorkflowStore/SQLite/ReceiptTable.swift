import GRDB
import Synchronization

/// The receipts of requests. Insertions remove old ones.
///
/// An index by time would be as large as the table. Instead a cursor moves around the table by a
/// few rows per insertion, so at any time only few rows are too old. It moves by many rows at a
/// time, which takes a fraction of the time of as many small moves.
final class ReceiptTable: Sendable {
    /// The number of rows that the cursor passes per insertion.
    private static let rowsPerInsertion = 8
    /// The number of rows that it passes at a time.
    private static let rowsPerMove = 256

    /// The cursor: the last row that it passed, as it is in the table.
    private struct Cursor {
        var session = 0.databaseValue
        var key = "".databaseValue
        /// The rows that it has still to pass.
        var due = 0
    }

    private let cursor = Mutex(Cursor())

    func hasAny(of receipts: [Receipt], of number: Int, _ db: Database) throws -> Bool {
        guard !receipts.isEmpty else { return false }
        let search = try db.cachedStatement(
            sql: "SELECT 1 FROM receipt WHERE session = ? AND key = ?")
        return try receipts.contains { receipt in
            try Int.fetchOne(search, arguments: [number, StoredKey(key: receipt.key)]) != nil
        }
    }

    /// Records that a change dropped the steps after a step. The receipts of these steps are not
    /// updated, since there may be many.
    func giveUp(after step: Int, of number: Int, version: Int, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM cut WHERE session = ? AND keeping >= ?")
            .execute(arguments: [number, step])
        try db.cachedStatement(
            sql: "INSERT INTO cut (session, keeping, version) VALUES (?, ?, ?)"
        ).execute(arguments: [number, step, version])
    }

    func receipt(_ key: String, of id: String, _ db: Database) throws -> Receipt? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT digest, step, input_count, is_given_up OR version < coalesce(
                        (SELECT version FROM cut WHERE session = receipt.session
                            AND keeping < receipt.step ORDER BY keeping DESC LIMIT 1), 0),
                        version
                    FROM receipt
                    WHERE session = (SELECT number FROM session WHERE id = ?) AND key = ?
                    """), arguments: [id, StoredKey(key: key)])
        return try row.map { row in
            Receipt(
                key: key, digest: try row.bits(0, of: id), step: try row.natural(1, of: id),
                inputCount: try row.natural(2, of: id),
                isGivenUp: try row.natural(3, of: id) != 0, screen: try row.natural(4, of: id))
        }
    }

    /// - Parameter screen: The one after the change, and after any cut.
    func insert(
        _ receipts: [Receipt], of number: Int, screen: Int, at milliseconds: Int, _ db: Database
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
                    receipt.step, receipt.inputCount, screen, receipt.isGivenUp,
                    milliseconds / 1000,
                ])
        }
        let isDue = cursor.withLock { cursor in
            cursor.due += receipts.count * Self.rowsPerInsertion
            return cursor.due >= Self.rowsPerMove
        }
        if isDue { try removeOld(before: (milliseconds - Receipt.lifetime) / 1000, db) }
    }

    private func removeOld(before time: Int, _ db: Database) throws {
        let start = cursor.withLock { $0 }
        assert(start.due > 0)
        let last = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT session, key FROM receipt WHERE (session, key) > (?, ?)
                    ORDER BY session, key LIMIT 1 OFFSET ?
                    """), arguments: [start.session, start.key, start.due - 1])
        // After the last row it starts again.
        var end = Cursor()
        var sql = "DELETE FROM receipt WHERE (session, key) > (?, ?) AND time < ?"
        var arguments: StatementArguments = [start.session, start.key, time]
        if let last {
            end = Cursor(session: last[0], key: last[1])
            sql += " AND (session, key) <= (?, ?)"
            arguments += [end.session, end.key]
        }
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
        let next = end
        cursor.withLock { $0 = next }
    }
}
