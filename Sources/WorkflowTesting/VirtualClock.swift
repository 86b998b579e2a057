import Synchronization

/// A clock whose time passes only when a test advances it.
public final class VirtualClock: Clock {
    /// A point in virtual time.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let elapsed: Duration

        /// Makes an instant at this time since the clock was made.
        public init(elapsed: Duration) { self.elapsed = elapsed }

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(elapsed: elapsed + duration)
        }

        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

        /// Whether the first is earlier.
        public static func < (a: Instant, b: Instant) -> Bool { a.elapsed < b.elapsed }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Contents {
        var now = Instant(elapsed: .zero)
        var lastID = 0
        var sleepers: [Sleeper] = []
        /// Sleepers that were cancelled before they slept.
        var cancelled: Set<Int> = []
    }

    private let contents = Mutex(Contents())

    /// Makes a clock at time zero.
    public init() {}

    /// The current virtual time.
    public var now: Instant { contents.withLock { $0.now } }

    /// Virtual time has no smallest step.
    public var minimumResolution: Duration { .zero }

    /// Sleeps until time has been advanced to `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// The earliest deadline of a sleeper.
    public var nextDeadline: Instant? {
        contents.withLock { $0.sleepers.map(\.deadline).min() }
    }

    /// Advances time to `instant`, if that is later, and wakes the sleepers until then, earliest first.
    public func advance(to instant: Instant) {
        let due = contents.withLock { contents in
            contents.now = max(contents.now, instant)
            let now = contents.now
            let due = contents.sleepers.filter { $0.deadline <= now }
            contents.sleepers.removeAll { $0.deadline <= now }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func enter(_ sleeper: Sleeper) {
        enum Start { case sleeps, isDue, isCancelled }
        let start: Start = contents.withLock { contents in
            if contents.cancelled.remove(sleeper.id) != nil { return .isCancelled }
            if sleeper.deadline <= contents.now { return .isDue }
            contents.sleepers.append(sleeper)
            return .sleeps
        }
        switch start {
        case .sleeps: break
        case .isDue: sleeper.continuation.resume()
        case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: Int) {
        let sleeper: Sleeper? = contents.withLock { contents in
            guard let index = contents.sleepers.firstIndex(where: { $0.id == id }) else {
                contents.cancelled.insert(id)
                return nil
            }
            return contents.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
