import Synchronization
import WorkflowStore

/// A change on its way to the database.
struct PreparedChange: Sendable {
    let id: String
    /// The version that it is based on.
    let version: Int
    let change: SessionChange
    let texts: ChangeTexts

    /// The approximate size of its texts.
    var size: Int {
        texts.inputs.reduce(texts.snapshot?.utf8.count ?? 0) { $0 + $1.text.utf8.count }
    }
}

/// Stores changes by one connection, those that arrive together by one statement. A refused change
/// affects no other.
final class ChangeWriter: Sendable {
    private let address: DatabaseAddress
    private let host: StoreHost
    private let onCommit: @Sendable (Int) -> Void
    private let lastTrouble = Mutex<StoreError?>(nil)
    private let connection = Mutex<Connection?>(nil)

    init(
        _ address: DatabaseAddress, _ host: StoreHost, onCommit: @escaping @Sendable (Int) -> Void
    ) {
        self.address = address
        self.host = host
        self.onCommit = onCommit
    }

    /// The error of the last statement; `nil` if it succeeded.
    var trouble: StoreError? { lastTrouble.withLock(\.self) }

    /// Notes that something else could not be stored, or could.
    func note(_ trouble: StoreError?) { lastTrouble.withLock { $0 = trouble } }

    func close() { connection.withLock { $0 = nil } }

    /// Returns the new versions after the commit.
    func write(_ changes: [PreparedChange]) throws -> [Result<Int, any Error>] {
        do {
            let results = try store(changes)
            note(nil)
            onCommit(changes.count)
            return results
        } catch {
            let failure = error as? DatabaseFailure
            if failure?.isLost == false, changes.count > 1 {
                // One of them is to blame, and the others need not suffer.
                return changes.flatMap { change -> [Result<Int, any Error>] in
                    do { return try write([change]) } catch { return [.failure(error)] }
                }
            }
            note(StoreError(error, of: address.redacted))
            if failure?.isLost == true { host.noteLostAnswer() }
            throw error
        }
    }

    // MARK: Statements

    private func store(_ changes: [PreparedChange]) throws -> [Result<Int, any Error>] {
        var results = [Result<Int, any Error>?](repeating: nil, count: changes.count)
        var backoff = Backoff()
        var isAgain = false
        while true {
            let left = results.indices.filter { results[$0] == nil }
            do {
                for (place, result) in zip(
                    left, try storeOnce(left.map { changes[$0] }, isAgain: isAgain))
                { results[place] = result }
                return results.compactMap(\.self)
            } catch let failure as DatabaseFailure {
                if failure.isLost || failure.isReadOnly { close() }
                if failure.isLost {
                    isAgain = true
                    let found = try lookUp(left.map { changes[$0] })
                    for (place, result) in zip(left, found) { results[place] = result }
                }
                guard failure.isLost || failure.isTransient || failure.isReadOnly, backoff.wait()
                else { throw failure }
            }
        }
    }

    private func storeOnce(
        _ changes: [PreparedChange], isAgain: Bool
    ) throws -> [Result<Int, any Error>] {
        let connection = try connected()
        for prepared in changes where prepared.change.code != nil {
            try CodeStatement.insert(prepared.change.code, connection)
        }
        let rows = try connection.execute(
            AppendStatement.statement, AppendStatement.parameters(of: changes, host.partition))
        assert(rows.count == changes.count)
        return try zip(changes, rows.all).map { prepared, row in
            try AppendStatement.result(of: prepared, isAgain: isAgain, row)
        }
    }

    private func connected() throws(DatabaseFailure) -> Connection {
        if let known = connection.withLock({ $0 }) { return known }
        let made = try Connection(address)
        connection.withLock { $0 = made }
        return made
    }

    /// The results of changes after the connection was lost; `nil` for one that was not stored. It
    /// waits for a statement that still runs, since that has locked the sessions.
    private func lookUp(_ changes: [PreparedChange]) throws -> [Result<Int, any Error>?] {
        var backoff = Backoff()
        while true {
            do {
                let rows = try connected().execute(Self.lookUp, [.texts(changes.map(\.id))])
                var known: [String: (version: Int, change: UInt64)] = [:]
                for row in rows.all {
                    guard let id = row.text(0) else { continue }
                    known[id] = (try row.natural(1, of: id), try row.bits(2, of: id))
                }
                return changes.map { prepared in
                    guard let found = known[prepared.id] else {
                        return .failure(StoreError.notFound(prepared.id))
                    }
                    if found.change == prepared.change.id { return .success(found.version) }
                    // Somebody may have gone on from it since.
                    return found.version == prepared.version
                        ? nil : .failure(StoreError.unknown(prepared.id))
                }
            } catch let failure as DatabaseFailure {
                close()
                guard backoff.wait() else { throw failure }
            }
        }
    }

    private static let lookUp = Statement(
        "look_up",
        """
        SELECT id, version, change FROM workflow.session WHERE id = ANY ($1)
        ORDER BY number FOR UPDATE
        """)
}
