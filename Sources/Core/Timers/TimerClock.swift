/// The system's continuous clock, on which a cancelled sleep leaves nothing behind.
///
/// ```swift
/// let clock = TimerClock()
/// let begun = clock.now
/// try await clock.sleep(for: .milliseconds(1))
/// print(clock.now - begun >= .milliseconds(1))  // true
/// ```
///
/// It reads the time of a `ContinuousClock`, whose cancelled sleeps take memory until they would
/// have been due. All clocks of this type are one: a thread of the process wakes all sleepers.
public struct TimerClock: Clock {
    /// An instant of the continuous clock.
    public typealias Instant = ContinuousClock.Instant

    /// Makes the clock of the process.
    public init() {}

    /// The current time.
    public var now: Instant { .now }

    /// The smallest step of time.
    public var minimumResolution: Duration { ContinuousClock().minimumResolution }

    /// Sleeps until a deadline, which may be as far away as an instant can be.
    ///
    /// Sleepers are woken in the order of their deadlines. A deadline that has passed is no wait.
    ///
    /// ```swift
    /// let clock = TimerClock()
    /// try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    /// ```
    ///
    /// - Parameter tolerance: Ignored: a sleeper is woken when it is due.
    /// - Throws: `CancellationError` if the task is or becomes cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await Alarm.shared.sleep(until: deadline)
    }
}
