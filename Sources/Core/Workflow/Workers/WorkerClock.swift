import Timers

/// The clock of the host that runs the current worker.
///
/// ```swift
/// struct Second: Worker, Equatable {
///     var number: Int
///     func run() async throws -> Int {
///         try await WorkerClock.sleep(for: .seconds(1))
///         return number
///     }
/// }
/// ```
///
/// Workers that sleep on it can be tested in virtual time; see ``HostOptions/clock``.
public enum WorkerClock {
    /// The host's clock within a worker, a `TimerClock` elsewhere.
    @TaskLocal public static var current: any Clock<Duration> = TimerClock()

    /// Sleeps on the current clock.
    ///
    /// - Throws: `CancellationError` if the worker is stopped meanwhile.
    public static func sleep(for duration: Duration) async throws {
        try await current.sleep(for: duration)
    }
}

extension RenderContext {
    /// The host's clock, for closures of workers; in a worker: ``WorkerClock/current``.
    public var clock: any Clock<Duration> { node.tree.options.clock }
}
