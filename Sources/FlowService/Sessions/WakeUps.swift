import HeapModule
import WorkflowStore

/// Opens sessions when their time has come: of those that sleep it knows their number and the time, and no more.
///
/// Of a session that has slept less long than was said, as it was woken by a request, the time of before stays: it is
/// opened once in vain then.
actor WakeUps {
    private struct Entry: Comparable {
        let wakeUp: WakeUp

        static func < (one: Entry, other: Entry) -> Bool {
            one.wakeUp.milliseconds < other.wakeUp.milliseconds
        }
    }

    /// How many are opened at a time.
    private static let width = 32
    /// Of how many the ids are asked for at a time.
    private static let lotSize = 512
    /// After how many milliseconds something is tried again.
    private static let pause = 1000
    /// The longest time for which nobody looks at the clock, which may be set.
    private static let patience = Duration.seconds(30)

    private var heap = Heap<Entry>()
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Int
    private let ids: @Sendable (_ numbers: [Int]) async -> [Int: String]?
    private let wake: @Sendable (_ id: String) async -> Bool
    private var waiting: Task<Void, Never>?

    /// - Parameters:
    ///   - clock: What it waits by.
    ///   - now: The time, in milliseconds since 1970.
    ///   - ids: The ids of the sessions with some numbers, by these, without those that there are not any more; `nil` if
    ///     that cannot be told now, and is asked again in a second.
    ///   - wake: Opens a session, and returns whether that need not be tried again in a second.
    init(
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Int,
        ids: @escaping @Sendable (_ numbers: [Int]) async -> [Int: String]?,
        wake: @escaping @Sendable (_ id: String) async -> Bool
    ) {
        self.clock = clock
        self.now = now
        self.ids = ids
        self.wake = wake
    }

    /// How many are known.
    var count: Int { heap.count }

    /// Adds those that sleep when the service begins.
    func add(_ wakeUps: [WakeUp]) {
        heap.insert(contentsOf: wakeUps.map(Entry.init))
        waiting?.cancel()
    }

    /// Adds one that falls asleep. If it is due already, what came of that was not kept, and is tried again in a second.
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

    /// Waits until the first is due, or another one comes before it.
    private func wait() async {
        let time = heap.min.map { Duration.milliseconds($0.wakeUp.milliseconds - now()) }
        let task = Task { [clock] in
            _ = try? await clock.sleep(for: min(time ?? Self.patience, Self.patience))
        }
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
            for start in stride(from: 0, to: numbers.count, by: Self.lotSize) {
                let lot = numbers[start...].prefix(Self.lotSize)
                guard let found = await ids(Array(lot)) else {
                    failed += lot
                    continue
                }
                for number in lot {
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
