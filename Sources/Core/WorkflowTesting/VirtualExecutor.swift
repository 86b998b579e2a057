import Synchronization

/// Runs tasks only in ``runUntilIdle()``, on the calling thread, in the order of their readiness.
/// Testers run workers on it, so a test decides when they run and never waits for them.
public final class VirtualExecutor: TaskExecutor {
    private let ready = Mutex<[UnownedJob]>([])

    /// Makes an executor.
    public init() {}

    /// Enqueues a job; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.withLock { $0.append(job) }
    }

    /// Runs all ready jobs, and those that become ready meanwhile; true if a job ran.
    ///
    /// ```swift
    /// let task = Task(executorPreference: executor) { print("runs within runUntilIdle") }
    /// executor.runUntilIdle()  // true
    /// ```
    @discardableResult
    public func runUntilIdle() -> Bool {
        var rounds = Int.max
        return runUntilIdle(rounds: &rounds)
    }

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
