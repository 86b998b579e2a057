import Synchronization
import WorkerKit

/// The threads on which statements run. A run that is stopped does not wait for its thread.
final class StatementThreads: Sendable {
    static let shared = StatementThreads(limit: 256, mostLate: 16, patience: .seconds(1))

    private let threads: WorkerThreads
    private let mostLate: Int
    private let patience: Duration
    /// The runs whose threads have not ended.
    private let runs = Mutex<[ObjectIdentifier: Stop]>([:])

    /// - Parameters:
    ///   - mostLate: The stopped runs with threads at which no run starts.
    ///   - patience: The time for which a stopped run may keep its thread before it is counted.
    init(limit: Int, mostLate: Int, patience: Duration) {
        threads = WorkerThreads(limit: limit)
        self.mostLate = mostLate
        self.patience = patience
    }

    /// The number of stopped runs that keep their threads.
    var late: Int {
        let time = ContinuousClock.now - patience
        return runs.withLock { runs in runs.values.count { $0.wasSet(before: time) } }
    }

    /// Runs `work` on a thread. Throws `busy` if too many stopped runs keep theirs.
    func start(_ stop: Stop, _ work: @escaping @Sendable () -> Void) throws(WorkerError) {
        guard late < mostLate else {
            throw WorkerError(
                "busy", "\(mostLate) statements that were stopped have not ended yet",
                help: "try again later")
        }
        runs.withLock { $0[ObjectIdentifier(stop)] = stop }
        Task.detached(executorPreference: threads) { [self] in
            work()
            runs.withLock { $0[ObjectIdentifier(stop)] = nil }
        }
    }
}
