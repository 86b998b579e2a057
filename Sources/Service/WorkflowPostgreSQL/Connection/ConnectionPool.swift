import LibC
import Synchronization
import WorkerKit
import WorkflowStore

/// The connections for everything but appends, and the threads that wait for them.
final class ConnectionPool: Sendable {
    let address: DatabaseAddress
    private let idle = Mutex<[Connection]>([])
    private let threads: WorkerThreads

    init(_ address: DatabaseAddress, limit: Int) {
        self.address = address
        threads = WorkerThreads(limit: limit)
    }

    /// Uses a connection on a thread that may wait for it.
    ///
    /// - Parameter repeats: True if the whole may be done again after the connection was lost.
    func use<Result: Sendable>(
        repeats: Bool, _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws(StoreError) -> Result {
        do {
            return try await withTaskExecutorPreference(threads) {
                try useNow(repeats: repeats, body)
            }
        } catch {
            throw StoreError(error, of: address.redacted)
        }
    }

    func close() { idle.withLock { $0 = [] } }

    /// Uses a connection on the current thread, which may wait for it.
    func useNow<Result>(
        repeats: Bool, _ body: (Connection) throws -> Result
    ) throws -> Result {
        var backoff = Backoff()
        while true {
            do {
                let connection = try idle.withLock { $0.popLast() } ?? Connection(address)
                assert(connection.isIdle)
                defer { if connection.isIdle { idle.withLock { $0.append(connection) } } }
                return try body(connection)
            } catch let failure as DatabaseFailure {
                // The others were most likely lost, too, or lead to a server that is a standby now.
                if failure.isLost || failure.isReadOnly { close() }
                let isRepeatable = failure.isTransient || repeats && failure.isLost
                guard isRepeatable, backoff.wait() else { throw failure }
            }
        }
    }
}

/// The pauses between attempts, each about twice the one before, with jitter to spread hosts.
struct Backoff {
    private var left = 5
    private var milliseconds = 20

    /// Waits; false if there were enough attempts.
    mutating func wait() -> Bool {
        guard left > 0 else { return false }
        left -= 1
        usleep(UInt32(Int.random(in: milliseconds / 2...milliseconds) * 1000))
        milliseconds *= 2
        return true
    }
}
