import GRDB
import Synchronization

/// Makes the changes that arrived during a commit in one transaction: they wait for the disk once.
/// A refused change affects no other. An error of the database fails all of the transaction.
final class CommonCommit: Sendable {
    /// Changes the database, or throws a ``StoreError`` before any change.
    typealias Change = @Sendable (Database) throws -> Void

    private let pool: DatabasePool
    private let file: OpenedFile
    private let onCommit: @Sendable (Int) -> Void
    private let lastTrouble = Mutex<StoreError?>(nil)

    /// - Parameter onCommit: Called after each commit with the number of its changes.
    init(pool: DatabasePool, file: OpenedFile, onCommit: @escaping @Sendable (Int) -> Void) {
        self.pool = pool
        self.file = file
        self.onCommit = onCommit
    }

    /// The error of the last commit; `nil` if it succeeded.
    var trouble: StoreError? { lastTrouble.withLock(\.self) }

    /// Notes that something could not be stored, or could.
    func note(_ trouble: StoreError?) { lastTrouble.withLock { $0 = trouble } }

    /// Returns the results after the commit.
    func make(_ changes: [Change]) throws -> [Result<Void, any Error>] {
        do {
            let results = try pool.write { db in
                let results = try changes.map { change -> Result<Void, any Error> in
                    do {
                        return .success(try change(db))
                    } catch let refusal as StoreError {
                        return .failure(refusal)
                    }
                }
                // Last, so that only the commit follows.
                try file.checkPlace()
                return results
            }
            note(nil)
            onCommit(changes.count)
            return results
        } catch {
            note(StoreError(error, path: file.path))
            throw error
        }
    }
}
