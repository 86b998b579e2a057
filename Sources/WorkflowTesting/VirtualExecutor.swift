import Synchronization

/// Runs tasks only when it is told to, on the thread that tells it, in the order in which they became ready.
///
/// A tester lets workers run here, so that a test decides when they do and never has to wait for them.
public final class VirtualExecutor: TaskExecutor {
    private let ready = Mutex<[UnownedJob]>([])

    /// An executor with nothing to run.
    public init() {}

    /// Takes a job that is ready; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.withLock { $0.append(job) }
    }

    /// Runs what is ready, and what becomes ready meanwhile, until nothing is.
    ///
    /// - Returns: Whether there was anything to run.
    @discardableResult
    public func runUntilIdle() -> Bool {
        var rounds = Int.max
        return runUntilIdle(rounds: &rounds)
    }

    /// Runs what is ready, and what becomes ready meanwhile, until nothing is or no round is left.
    func runUntilIdle(rounds: inout Int) -> Bool {
        var hasRun = false
        while rounds > 0, let jobs = takeReady() {
            rounds -= 1
            hasRun = true
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
        return hasRun
    }

    private func takeReady() -> [UnownedJob]? {
        ready.withLock { ready in
            guard !ready.isEmpty else { return nil }
            defer { ready = [] }
            return ready
        }
    }
}
