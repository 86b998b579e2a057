import HeapModule
import Timers
import WorkflowStore

/// Opens sleeping sessions at their times. It keeps only their numbers and times. If a request woke
/// a session early, its old time stays, and it is opened once in vain.
actor WakeUps {
    private struct Entry: Comparable {
        let wakeUp: WakeUp

        static func < (one: Entry, other: Entry) -> Bool {
            one.wakeUp.milliseconds < other.wakeUp.milliseconds
        }
    }

    /// The number of sessions that are opened at once.
    private static let width = 32
    /// The number of ids that are requested at once.
    private static let batchSize = 512
    /// The milliseconds before another attempt.
    private static let pause = 1000
    /// The longest wait, because the clock may be set.
    private static let patience = Duration.seconds(30)

    private var heap = Heap<Entry>()
    private let clock: any Clock<Duration>
    private let executor: (any TaskExecutor)?
    private let now: @Sendable () -> Int
    private let ids: @Sendable (_ numbers: [Int]) async -> [Int: String]?
    private let wake: @Sendable (_ id: String) async -> Bool
    private var waiting: Task<Void, Never>?

    /// - Parameters:
    ///   - now: The time, in milliseconds since 1970.
    ///   - ids: The ids of sessions by number, without deleted ones; `nil` if they cannot be read
    ///     now and are requested again in a second.
    ///   - wake: Opens a session. Returns false if it is to be tried again in a second.
    init(
        clock: any Clock<Duration> = TimerClock(), executor: (any TaskExecutor)? = nil,
        now: @escaping @Sendable () -> Int,
        ids: @escaping @Sendable (_ numbers: [Int]) async -> [Int: String]?,
        wake: @escaping @Sendable (_ id: String) async -> Bool
    ) {
        self.clock = clock
        self.executor = executor
        self.now = now
        self.ids = ids
        self.wake = wake
    }

    var count: Int { heap.count }

    /// Adds sessions that the service takes over.
    func add(_ wakeUps: [WakeUp]) {
        heap.insert(contentsOf: wakeUps.map(Entry.init))
        waiting?.cancel()
    }

    /// Adds a session that falls asleep. One that is due was not stored: it is tried in a second.
    func add(_ wakeUp: WakeUp) {
        var wakeUp = wakeUp
        let time = now()
        if wakeUp.milliseconds <= time { wakeUp.milliseconds = time + Self.pause }
        let isEarliest = heap.min.map { Entry(wakeUp: wakeUp) < $0 } ?? true
        heap.insert(Entry(wakeUp: wakeUp))
        if isEarliest { waiting?.cancel() }
    }

    /// Wakes sessions until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let due = removeDue()
            if due.isEmpty { await wait() } else { await wake(due) }
        }
    }

    private func removeDue() -> [Int] {
        let time = now()
        var due: [Int] = []
        while let first = heap.min, first.wakeUp.milliseconds <= time {
            heap.removeMin()
            due.append(first.wakeUp.number)
        }
        return due
    }

    private func wait() async {
        let time = heap.min.map { Duration.milliseconds($0.wakeUp.milliseconds - now()) }
        let task = Task(executorPreference: executor) { [clock] in
            // Whoever has an earlier time cancels this sleep; the caller looks at the heap again.
            _ = try? await clock.sleep(for: min(time ?? Self.patience, Self.patience))
        }
        assert(waiting == nil)
        waiting = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        waiting = nil
    }

    private func wake(_ numbers: [Int]) async {
        var failed: [Int] = []
        await withTaskGroup(of: Int?.self) { group in
            var count = 0
            for start in stride(from: 0, to: numbers.count, by: Self.batchSize) {
                let batch = numbers[start...].prefix(Self.batchSize)
                guard let found = await ids(Array(batch)) else {
                    failed += batch
                    continue
                }
                for number in batch {
                    guard let id = found[number] else { continue }
                    if count >= Self.width, let failure = await group.next() ?? nil {
                        failed.append(failure)
                    }
                    group.addTask { [wake] in await wake(id) ? nil : number }
                    count += 1
                }
            }
            for await case let failure? in group { failed.append(failure) }
        }
        for number in failed { add(WakeUp(number: number, milliseconds: 0)) }
    }
}
