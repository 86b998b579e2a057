import Synchronization

/// The tasks that sleep on a clock, until its driver wakes them.
package final class Sleepers<Instant: InstantProtocol>: Sendable {
    private struct Contents {
        var heap = SleeperHeap<Instant>()
        var time: Instant
        /// The earliest deadline that the driver has been told; its sleeper may be gone.
        var awaited: Instant?
    }

    private enum Entry { case isEarlier, isLater, isDue, isCancelled }

    private let contents: Mutex<Contents>

    package init(at time: Instant) { contents = Mutex(Contents(time: time)) }

    /// The time until which sleepers were woken.
    package var time: Instant { contents.withLock { $0.time } }

    /// The earliest deadline.
    package var next: Instant? { contents.withLock { $0.heap.first?.deadline } }

    package var count: Int { contents.withLock { $0.heap.count } }

    /// Sleeps until the sleepers of the deadline are woken, or the task is cancelled. Calls
    /// `onEarlier` if ``wake(until:)`` has to be called earlier than was known.
    package func sleep(until deadline: Instant, onEarlier: () -> Void = {}) async throws {
        let sleeper = Sleeper(until: deadline)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch enter(sleeper, continuation) {
                case .isEarlier: onEarlier()
                case .isLater: break
                case .isDue: continuation.resume()
                case .isCancelled: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let isAsleep = contents.withLock { $0.heap.remove(sleeper) }
            if isAsleep { sleeper.continuation?.resume(throwing: CancellationError()) }
        }
    }

    private func enter(
        _ sleeper: Sleeper<Instant>, _ continuation: CheckedContinuation<Void, any Error>
    ) -> Entry {
        contents.withLock { contents in
            // A task is cancelled before its handler runs. So a handler that came too early to find
            // the sleeper is noticed here, and one that comes later finds it.
            if Task.isCancelled { return .isCancelled }
            if sleeper.deadline <= contents.time { return .isDue }
            assert(sleeper.continuation == nil)
            sleeper.continuation = continuation
            contents.heap.insert(sleeper)
            if let awaited = contents.awaited, awaited <= sleeper.deadline { return .isLater }
            contents.awaited = sleeper.deadline
            return .isEarlier
        }
    }

    /// Wakes those with a deadline until `time`, the earliest first; returns the next deadline.
    @discardableResult
    package func wake(until time: Instant) -> Instant? {
        let (due, next) = contents.withLock { contents in
            contents.time = max(contents.time, time)
            var due: [Sleeper<Instant>] = []
            while let first = contents.heap.first, first.deadline <= contents.time {
                contents.heap.remove(first)
                assert(due.last.map { $0.deadline <= first.deadline } ?? true)
                due.append(first)
            }
            contents.awaited = contents.heap.first?.deadline
            return (due, contents.awaited)
        }
        // Outside the lock, because a task that is woken may sleep again at once.
        for sleeper in due { sleeper.continuation?.resume() }
        return next
    }
}
