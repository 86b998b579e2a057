import Timers
import WorkerKit

extension LoadedRun.State {
    mutating func takeWaiters() -> [ThreadSemaphore] {
        defer { waiters = [] }
        return waiters
    }

    /// Removes all that waits for an event that will not come any more.
    mutating func releaseAll() -> Release {
        defer {
            timers = [:]
            sleepers = [:]
        }
        return Release(threads: takeWaiters() + sleepers.values, timers: timers.values.map(\.task))
    }
}

/// The threads and timers to release when a run ends, outside its lock.
struct Release {
    var threads: [ThreadSemaphore] = []
    var timers: [Task<Void, Never>] = []

    func perform() {
        for thread in threads { thread.signal() }
        for timer in timers { timer.cancel() }
    }
}
