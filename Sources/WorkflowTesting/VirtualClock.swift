import Timers

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

    private let sleepers = Sleepers(at: Instant(elapsed: .zero))

    /// Makes a clock at time zero.
    public init() {}

    /// The current virtual time.
    public var now: Instant { sleepers.time }

    /// Virtual time has no smallest step.
    public var minimumResolution: Duration { .zero }

    /// Sleeps until time has been advanced to `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleepers.sleep(until: deadline)
    }

    /// The earliest deadline of a sleeper.
    public var nextDeadline: Instant? { sleepers.next }

    /// Advances time to `instant`, if that is later, and wakes the sleepers until then, earliest first.
    public func advance(to instant: Instant) { sleepers.wake(until: instant) }
}
