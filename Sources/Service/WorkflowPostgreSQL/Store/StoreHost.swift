import LibC
import Synchronization
import WorkerKit
import WorkflowStore

/// The partition of the sessions whose workers this host starts.
struct OwnPartition: Sendable {
    let number: Int
    /// Another host that takes the partition over raises it, which fences this one off.
    let epoch: Int
}

/// The record of this process among the hosts of a store. Times are the database's, so hosts
/// compare only what one clock said.
final class StoreHost: Sendable {
    private struct State {
        /// Never given to two hosts; `nil` before the first beat.
        var number: Int?
        var partition: OwnPartition?
        var hasOthers = false
        var beats = 0
        /// True after a call whose outcome is unknown: it may have given sessions to this host.
        var isUnsure = false
        var connection: Connection?
    }

    private let address: DatabaseAddress
    /// In milliseconds; see `StoreBeat/patience`.
    private let patience: Int
    private let state = Mutex(State())
    private let thread = WorkerThreads(limit: 1)

    init(_ address: DatabaseAddress, patience: Duration) {
        self.address = address
        self.patience = Int(patience / .milliseconds(1))
    }

    var number: Int? { state.withLock(\.number) }

    var partition: OwnPartition? { state.withLock(\.partition) }

    var hasOthers: Bool { state.withLock(\.hasOthers) }

    /// Makes the next beat report all sessions of this host, as the outcome of a call is unknown.
    func noteLostAnswer() { state.withLock { $0.isUnsure = true } }

    /// Beats; see ``SharedSessionStore/beat()``.
    func beat() async throws(StoreError) -> StoreBeat {
        let isUnsure = state.withLock { state in
            defer { state.isUnsure = false }
            return state.isUnsure
        }
        do throws(StoreError) { return try await beat(tellingAll: isUnsure) } catch {
            noteLostAnswer()
            throw error
        }
    }

    private func beat(tellingAll: Bool) async throws(StoreError) -> StoreBeat {
        try await onThread { [self] connection in
            let known = number
            let rows = try connection.execute(
                Self.beat, [.integer(known), .integer(patience)])
            var beat = StoreBeat()
            var found = State()
            for row in rows.all {
                guard let first = row.integer(1), let second = row.integer(2) else { continue }
                switch row.text(0) {
                case "host": found.number = first
                case "partition": found.partition = OwnPartition(number: first, epoch: second)
                case "others": found.hasOthers = true
                case "taken": beat.taken.append(WakeUp(number: first, milliseconds: second))
                case "changed": beat.changed.append(first)
                default: break
                }
            }
            beat.wasLate = known != nil && known != found.number
            if tellingAll {
                beat.taken = try connection.execute(Self.own, [.integer(found.number)]).all
                    .compactMap(WakeUp.init)
            }
            let isTidying = state.withLock { state in
                (state.number, state.partition) = (found.number, found.partition)
                state.hasOthers = found.hasOthers
                state.beats += 1
                return state.beats % Self.beatsPerTidying == 0
            }
            if isTidying {
                try connection.execute(Self.tidying, [.integer(Receipt.lifetime)])
            }
            return beat
        }
    }

    /// Leaves the partitions to others; see ``SharedSessionStore/leave()``.
    func leave() async throws(StoreError) {
        guard let number else { return }
        try await onThread { [self] connection in
            try connection.execute(Self.leaving, [.integer(number)])
            state.withLock { $0 = State() }
        }
    }

    private func onThread<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws(StoreError) -> Result {
        do {
            return try await withTaskExecutorPreference(thread) {
                do {
                    return try body(connected())
                } catch let failure as DatabaseFailure {
                    // The next beat comes soon, by a new connection.
                    state.withLock { $0.connection = nil }
                    throw failure
                }
            }
        } catch {
            throw StoreError(error, of: address.redacted)
        }
    }

    private func connected() throws(DatabaseFailure) -> Connection {
        if let known = state.withLock(\.connection) { return known }
        let made = try Connection(address)
        state.withLock { $0.connection = made }
        return made
    }

    private static let beat = Statement("beat", "SELECT * FROM workflow.beat($1, $2)")
    private static let own = Statement(
        "own",
        """
        SELECT s.number, s.wake_at FROM workflow.session s
        JOIN workflow.partition p ON p.number = s.partition
        WHERE p.owner = $1 AND s.wake_at IS NOT NULL
        """)
    private static let leaving = Statement(
        "leave", "UPDATE workflow.host SET seen = 0 WHERE number = $1")
    /// About a minute.
    private static let beatsPerTidying = 240
    /// Removes some of the receipts that are too old.
    private static let tidying = Statement(
        "tidy",
        """
        DELETE FROM workflow.receipt WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM workflow.receipt
            WHERE time < floor(extract(epoch FROM clock_timestamp()) * 1000) - $1 LIMIT 50000))
        """)
}
