import LibC
import TestSupport
import Timers

/// Runs the tasks of several hosts on one thread and in virtual time. A seed decides which of the
/// ready jobs is next. Time moves on when nothing is ready. `@unchecked Sendable` because only the
/// thread that made it may use it, which is checked.
final class SeededScheduler: @unchecked Sendable {
    private struct Event {
        let time: Duration
        let body: () -> Void
    }

    var random: SeededNumbers
    /// The virtual time since the beginning.
    private(set) var time = Duration.zero
    private(set) var jobCount = 0
    private let thread = pthread_self()
    private let start = ContinuousClock.now
    private let sleepers: Sleepers<ContinuousClock.Instant>
    /// The latest first.
    private var events: [Event] = []
    private var executors: [SeededExecutor] = []

    init(seed: UInt64) {
        random = SeededNumbers(seed: seed)
        sleepers = Sleepers(at: start)
    }

    /// Checks that nothing has escaped to another thread, where no seed decides.
    func requireThread() {
        precondition(pthread_equal(thread, pthread_self()) != 0, "a job escaped the simulation")
    }

    // MARK: Chance

    func happens(oneOf cases: Int) -> Bool { number(below: cases) == 0 }

    func number(below end: Int) -> Int { Int(random.next() % UInt64(end)) }

    /// A duration in milliseconds.
    func duration(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(range.lowerBound + number(below: range.count))
    }

    // MARK: Time

    func after(_ pause: Duration, _ body: @escaping () -> Void) {
        requireThread()
        let event = Event(time: time + pause, body: body)
        // Of two with one time the first stays the first.
        let place = events.lastIndex { $0.time > event.time }.map { $0 + 1 } ?? 0
        events.insert(event, at: place)
    }

    fileprivate var now: ContinuousClock.Instant { start + time }

    fileprivate func sleep(until deadline: ContinuousClock.Instant) async throws {
        try await sleepers.sleep(until: deadline)
    }

    private var nextTime: Duration? {
        let sleeper = sleepers.next.map { start.duration(to: $0) }
        guard let event = events.last?.time else { return sleeper }
        return sleeper.map { min($0, event) } ?? event
    }

    private func advance(to next: Duration) {
        time = max(time, next)
        while let event = events.last, event.time <= time {
            events.removeLast()
            event.body()
        }
        sleepers.wake(until: now)
    }

    // MARK: Jobs

    func makeExecutor() -> SeededExecutor {
        let executor = SeededExecutor(self)
        executors.append(executor)
        return executor
    }

    /// Runs until a condition holds when time moves on, nothing is left to do, or a time has come.
    /// Returns true if the condition holds.
    @discardableResult func run(until end: Duration, _ isDone: () -> Bool = { false }) -> Bool {
        requireThread()
        while true {
            while let (job, executor) = takeJob() {
                jobCount += 1
                job.runSynchronously(on: executor.asUnownedTaskExecutor())
            }
            if isDone() { return true }
            guard let next = nextTime, next <= end else { return false }
            advance(to: next)
        }
    }

    private func takeJob() -> (UnownedJob, SeededExecutor)? {
        var count = 0
        for executor in executors where !executor.isPaused { count += executor.ready.count }
        guard count > 0 else { return nil }
        var place = count == 1 ? 0 : number(below: count)
        for executor in executors where !executor.isPaused {
            if place < executor.ready.count { return (executor.ready.remove(at: place), executor) }
            place -= executor.ready.count
        }
        return nil
    }
}

/// Holds the ready jobs of a host. `@unchecked Sendable` because only the scheduler's thread uses
/// it, which is checked.
final class SeededExecutor: TaskExecutor, @unchecked Sendable {
    fileprivate var ready: [UnownedJob] = []
    var isPaused = false
    private unowned let scheduler: SeededScheduler

    fileprivate init(_ scheduler: SeededScheduler) { self.scheduler = scheduler }

    func enqueue(_ job: consuming ExecutorJob) {
        scheduler.requireThread()
        ready.append(UnownedJob(job))
    }
}

struct SeededClock: Clock {
    let scheduler: SeededScheduler

    var now: ContinuousClock.Instant { scheduler.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await scheduler.sleep(until: deadline)
    }
}
