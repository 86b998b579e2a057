import GRDB

/// Puts changes that come while another is written into one transaction, so that they wait for the disk together.
///
/// A change that is refused has changed nothing and concerns nobody else; what the database refuses fails all that were
/// to be written with it.
actor CommonCommit {
    /// Changes the database, or throws a ``StoreError`` before it has changed anything.
    typealias Change = @Sendable (Database) throws -> Int
    private typealias Outcome = Result<Int, any Error>

    private let pool: DatabasePool
    private var waiting: [(change: Change, caller: CheckedContinuation<Outcome, Never>)] = []
    private var isWriting = false

    private let onCommit: @Sendable (Int) -> Void

    /// - Parameter onCommit: Told after each commit how many changes it has.
    init(pool: DatabasePool, onCommit: @escaping @Sendable (Int) -> Void) {
        self.pool = pool
        self.onCommit = onCommit
    }

    /// Makes a change; it is committed when the call returns.
    func write(_ change: @escaping Change) async throws -> Int {
        let outcome = await withCheckedContinuation { caller in
            waiting.append((change, caller))
            guard !isWriting else { return }
            isWriting = true
            // In a task of its own: were a caller cancelled, nobody would know what became of the changes.
            Task { await writeAll() }
        }
        return try outcome.get()
    }

    private func writeAll() async {
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            let outcomes = await commit(batch.map(\.change))
            for (index, job) in batch.enumerated() { job.caller.resume(returning: outcomes[index]) }
        }
        isWriting = false
    }

    private func commit(_ changes: [Change]) async -> [Outcome] {
        do {
            let outcomes = try await pool.write { db in
                try changes.map { change -> Outcome in
                    do {
                        return .success(try change(db))
                    } catch let refusal as StoreError {
                        return .failure(refusal)
                    }
                }
            }
            onCommit(changes.count)
            return outcomes
        } catch {
            return changes.map { _ in .failure(error) }
        }
    }
}
