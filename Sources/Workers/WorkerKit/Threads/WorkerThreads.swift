import LibC
import Synchronization
import Timers

/// Runs tasks on separate threads, so that blocking work delays nothing else.
///
/// The global executor has only as many threads as the processor has cores, so a worker that blocks
/// one of them could stall the program. This executor makes another thread when all are busy, up to
/// a limit. An idle thread ends after a while.
public final class WorkerThreads: TaskExecutor {
    /// The threads for workers, at most 256 at a time.
    public static let shared = WorkerThreads(limit: 256)

    private struct Contents {
        var jobs: [UnownedJob] = []
        /// The index in `jobs` of the first job that no thread has taken.
        var head = 0
        /// The number of each thread's current job, 0 for none, and true if it has run for long.
        var running: [(job: UInt64, isSlow: Bool)] = []
        var free: [Int] = []
        var lastJob: UInt64 = 0
        /// The number of waiting threads that have not yet been called for a job.
        var idle = 0
        /// The number of threads that have been at one job for long.
        var slow = 0
        var isWatched = false

        var threads: Int { running.count - free.count }
        var waiting: Int { jobs.count - head }
        var isSound: Bool {
            waiting >= 0 && (0...threads).contains(idle) && (0...threads).contains(slow)
        }
    }

    /// The time between two looks for slow threads, in microseconds.
    private static let tick: UInt32 = 50_000
    /// The number of looks without any job after which the watching thread ends.
    private static let patience = 200

    private let limit: Int
    private let spare: Int
    private let rest: Duration
    private let onSlow: @Sendable () -> Void
    private let contents = Mutex(Contents())
    private let calls = ThreadSemaphore()

    /// Makes an executor that creates threads on demand, up to `limit`, but at least one.
    ///
    /// ```swift
    /// let packers = WorkerThreads(limit: 4)
    /// let packed = Task(executorPreference: packers) { pack("notes") }
    /// ```
    public convenience init(limit: Int) { self.init(limit: limit, spare: 0) {} }

    /// Makes an executor for short jobs. For each thread that is at one job for long, two more may
    /// work, so that a rush of long jobs does not delay the others. A thread takes the first job
    /// that its own job adds, since most jobs end with that. No other thread is woken for it,
    /// unless the thread is still at its job at the next look.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of threads while none is slow; at least 1.
    ///   - spare: The maximum number of further threads.
    ///   - rest: The time after which an idle thread ends, a day at most.
    ///   - onSlow: Called 20 times a second while a thread is slow, and once after, outside jobs.
    package init(
        limit: Int, spare: Int, rest: Duration = .seconds(10),
        onSlow: @escaping @Sendable () -> Void
    ) {
        self.limit = max(limit, 1)
        self.spare = spare
        self.rest = rest
        self.onSlow = onSlow
    }

    /// Runs a job on an idle thread; called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isKept = spare > 0 && RunningThread.current?.keep(in: self) == true
        enum Step { case call, start(Int), none }
        let (step, watches): (Step, Bool) = contents.withLock { contents in
            assert(contents.isSound)
            contents.jobs.append(job)
            let watches = spare > 0 && !contents.isWatched
            if watches { contents.isWatched = true }
            if isKept { return (.none, watches) }
            if contents.idle > 0 {
                contents.idle -= 1
                return (.call, watches)
            }
            guard contents.threads < bound(contents) else { return (.none, watches) }
            return (.start(makePlace(&contents)), watches)
        }
        switch step {
        case .call: calls.signal()
        case .start(let place): runJobs(at: place)
        case .none: break
        }
        if watches {
            let isStarted = startThread { self.watch() }
            if !isStarted { contents.withLock { $0.isWatched = false } }
        }
    }

    private func bound(_ contents: Contents) -> Int { limit + min(2 * contents.slow, spare) }

    private func makePlace(_ contents: inout Contents) -> Int {
        if let place = contents.free.popLast() {
            assert(contents.running[place].job == 0 && !contents.running[place].isSlow)
            return place
        }
        contents.running.append((job: 0, isSlow: false))
        return contents.running.count - 1
    }

    private func runJobs(at place: Int) {
        // Otherwise the job waits for one of the other threads, or for the next that can be made.
        let isStarted = startThread { self.run(at: place) }
        if !isStarted { contents.withLock { $0.free.append(place) } }
    }

    // MARK: Running jobs

    package static var isCurrentThread: Bool { RunningThread.current != nil }

    private enum Step {
        case job(UnownedJob), wait, end
    }

    private func run(at place: Int) {
        let this = RunningThread(of: self)
        this.becomeCurrent()
        defer { withExtendedLifetime(this) {} }
        while true {
            switch nextStep(at: place) {
            case .job(let job):
                this.keepsJob = false
                job.runSynchronously(on: asUnownedTaskExecutor())
                continue
            case .end: return
            case .wait: break
            }
            if calls.wait(for: rest) { continue }
            let ends = contents.withLock { contents in
                // With no idle place left, a caller counts on this thread, and has signalled.
                guard contents.idle > 0 else { return false }
                contents.idle -= 1
                contents.free.append(place)
                return true
            }
            if ends { return }
            calls.wait()
        }
    }

    private func nextStep(at place: Int) -> Step {
        enum Successor { case new, idle, none }
        let (step, successor): (Step, Successor) = contents.withLock { contents in
            assert(contents.isSound)
            let wasSlow = contents.running[place].isSlow
            contents.running[place] = (job: 0, isSlow: false)
            if wasSlow { contents.slow -= 1 }
            // A host may have lowered the priority of a slow thread, so a new one takes its place.
            if wasSlow || contents.threads > bound(contents) {
                if contents.waiting > 0, contents.threads <= bound(contents) { return (.end, .new) }
                contents.free.append(place)
                // This thread may have been called for a job.
                guard contents.waiting > 0, contents.idle > 0 else { return (.end, .none) }
                contents.idle -= 1
                return (.end, .idle)
            }
            guard contents.waiting > 0 else {
                contents.idle += 1
                return (.wait, .none)
            }
            let job = contents.jobs[contents.head]
            contents.head += 1
            if contents.head == contents.jobs.count || contents.head > 1024 {
                contents.jobs.removeFirst(contents.head)
                contents.head = 0
            }
            contents.lastJob += 1
            contents.running[place].job = contents.lastJob
            return (.job(job), .none)
        }
        switch successor {
        case .new: runJobs(at: place)
        case .idle: calls.signal()
        case .none: break
        }
        return step
    }

    // MARK: Slow threads

    private func watch() {
        var seen: [UInt64] = []
        var quiet = 0
        var wasSlow = false
        while quiet < Self.patience {
            usleep(Self.tick)
            let (called, places, isSlow): (Int, [Int], Bool) = contents.withLock { contents in
                assert(contents.isSound && seen.count <= contents.running.count)
                for (place, job) in seen.enumerated()
                where job != 0 && job == contents.running[place].job
                    && !contents.running[place].isSlow
                {
                    contents.running[place].isSlow = true
                    contents.slow += 1
                }
                seen = contents.running.map(\.job)
                let isQuiet = contents.waiting == 0 && seen.allSatisfy { $0 == 0 }
                quiet = isQuiet ? quiet + 1 : 0
                if quiet == Self.patience { contents.isWatched = false }
                let wanted = min(
                    contents.waiting - contents.idle, bound(contents) - contents.threads)
                let places = (0..<max(wanted, 0)).map { _ in makePlace(&contents) }
                // For jobs that threads have kept for too long.
                let called = min(contents.waiting, contents.idle)
                contents.idle -= called
                return (called, places, contents.slow > 0)
            }
            for _ in 0..<called { calls.signal() }
            for place in places { runJobs(at: place) }
            if isSlow || wasSlow { onSlow() }
            wasSlow = isSlow
        }
    }
}

/// A thread that runs jobs. It is used on that thread only.
private final class RunningThread {
    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The object of the current thread; `nil` on threads that run no jobs.
    static var current: RunningThread? {
        pthread_getspecific(key).map {
            Unmanaged<RunningThread>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private unowned let threads: WorkerThreads
    /// True if the thread has kept a job of which no other thread was told.
    var keepsJob = false

    init(of threads: WorkerThreads) { self.threads = threads }

    /// Registers this for the current thread, until the thread ends.
    func becomeCurrent() {
        assert(Self.current == nil)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Keeps a job that the current one adds, if it is the first.
    func keep(in threads: WorkerThreads) -> Bool {
        guard threads === self.threads, !keepsJob else { return false }
        keepsJob = true
        return true
    }
}
