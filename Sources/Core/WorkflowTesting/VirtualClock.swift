import Timers

/// A clock whose time passes only when a test advances it.
///
/// ```swift
/// let clock = VirtualClock()
/// let second = clock.now.advanced(by: .seconds(1))
/// clock.advance(to: second)  // wakes those who sleep until then
/// ```
public final class VirtualClock: Clock {
    /// A point in virtual time. Instants add up exactly and are compared in nanoseconds: three
    /// thirds of one make a second.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let elapsed: Duration

        /// Makes an instant at this time since the clock was made.
        ///
        /// ```swift
        /// clock.advance(to: VirtualClock.Instant(elapsed: .seconds(2)))
        /// ```
        public init(elapsed: Duration) { self.elapsed = elapsed }

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(elapsed: elapsed + duration)
        }

        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

        /// True if the first is earlier, by nanoseconds.
        public static func < (a: Instant, b: Instant) -> Bool { a.rounded < b.rounded }

        /// True if both are in the same nanosecond.
        public static func == (a: Instant, b: Instant) -> Bool { a.rounded == b.rounded }

        /// Hashes the instant in nanoseconds.
        public func hash(into hasher: inout Hasher) { hasher.combine(rounded) }

        private var rounded: Duration {
            let (seconds, attoseconds) = elapsed.components
            return .seconds(seconds) + .nanoseconds((attoseconds + 500_000_000) / 1_000_000_000)
        }
    }

    private let sleepers = Sleepers(at: Instant(elapsed: .zero))

    /// Makes a clock at time zero.
    public init() {}

    /// The current virtual time.
    public var now: Instant { sleepers.time }

    /// A nanosecond: instants that are closer may be equal.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Sleeps until time has been advanced to `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleepers.sleep(until: deadline)
    }

    /// The earliest deadline of a sleeper.
    public var nextDeadline: Instant? { sleepers.next }

    /// Advances time to `instant`, if later, and wakes the sleepers until then, earliest first.
    public func advance(to instant: Instant) { sleepers.wake(until: instant) }
}
