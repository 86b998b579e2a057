import LibC
import Synchronization
import Timers

/// Runs tasks on separate threads, so that blocking work delays nothing else.
///
/// The global executor has only as many threads as the processor has cores, so a worker that blocks one of them
/// could stall the program. This executor makes another thread when all are busy, up to a limit. An idle thread
/// ends after a while.
public final class WorkerThreads: TaskExecutor {
    /// The threads for workers, at most 256 at a time.
    public static let shared = WorkerThreads(limit: 256)

    private struct Contents {
        var jobs: [UnownedJob] = []
        /// The first of `jobs` that nobody has taken.
        var head = 0
        var threads = 0
        /// Threads that wait and were not yet called for a job.
        var idle = 0
    }

    private let limit: Int
    private let contents = Mutex(Contents())
    private let calls = ThreadSemaphore()

    /// Makes an executor that creates threads on demand.
    ///
    /// - Parameter limit: The maximum number of threads; at least 1.
    public init(limit: Int) { self.limit = max(limit, 1) }

    /// Runs a job on an idle thread; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        enum Step { case call, start, none }
        let step: Step = contents.withLock { contents in
            contents.jobs.append(job)
            if contents.idle > 0 {
                contents.idle -= 1
                return .call
            }
            guard contents.threads < limit else { return .none }
            contents.threads += 1
            return .start
        }
        switch step {
        case .call: calls.signal()
        case .start: startThread()
        case .none: break
        }
    }

    private func startThread() {
        // A thread keeps its executor alive by this reference, which it takes over.
        let this = Unmanaged.passRetained(self)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let failure = pthread_create(&thread, nil, runWorkerThread, this.toOpaque())
        if failure == 0 {
            pthread_detach(thread)
        } else {
            // The job waits for one of the other threads, or for the next that can be made.
            this.release()
            contents.withLock { $0.threads -= 1 }
        }
    }

    fileprivate func runThread() {
        while true {
            while let job = takeJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
            let waits = contents.withLock { contents in
                guard contents.head == contents.jobs.count else { return false }
                contents.idle += 1
                return true
            }
            guard waits, !calls.wait(for: .seconds(10)) else { continue }
            let ends = contents.withLock { contents in
                // Without an idle place left, someone counts on this thread and has called.
                guard contents.idle > 0 else { return false }
                contents.idle -= 1
                contents.threads -= 1
                return true
            }
            if ends { return }
            calls.wait()
        }
    }

    private func takeJob() -> UnownedJob? {
        contents.withLock { contents in
            guard contents.head < contents.jobs.count else { return nil }
            let job = contents.jobs[contents.head]
            contents.head += 1
            if contents.head == contents.jobs.count || contents.head > 1024 {
                contents.jobs.removeFirst(contents.head)
                contents.head = 0
            }
            return job
        }
    }
}

private func runWorkerThread(_ executor: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let executor else { return nil }
    Unmanaged<WorkerThreads>.fromOpaque(executor).takeRetainedValue().runThread()
    return nil
}
