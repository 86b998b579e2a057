import WorkerKit

/// `clock.every`: an output every few seconds.
struct ClockEvery: EmittingPluginWorker {
    static let name = "clock.every"
    static let summary = "Gives an output each time that some seconds have passed."

    /// The shortest period in seconds.
    private static let shortest = 0.001

    struct Input: Codable, Sendable {
        var seconds: Double
        /// The policy for the timer when the session is resumed; `deadline` by default.
        var restore: String?
    }

    struct Output: Codable, Sendable {
        /// The number of the tick, from 1. Numbers are missing if the flow was too slow.
        var tick: Int
    }

    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        let period = try duration(input.seconds, least: Self.shortest)
        let policy = try RestorePolicy(name: input.restore)
        let clock = Stopwatch(context.clock, passed: policy.passed)
        var tick = clock.passed.count(of: period)
        if policy == .deadline, let resumption = WorkerResumption.current,
            tick > (policy.passed - resumption.lastPause).count(of: period)
        {
            // The tick was due while the session was closed.
            try await outputs.send(Output(tick: tick))
        }
        // Ticks are at multiples of the period after the start, so that delays do not add up.
        while true {
            // Missed ticks are skipped rather than sent in a burst.
            tick = max(tick + 1, clock.passed.count(of: period))
            try await context.wait(for: max(period * tick - clock.passed, .zero), policy)
            try await outputs.send(Output(tick: tick))
        }
    }
}

/// The time on a clock since a timer was started.
private struct Stopwatch: Sendable {
    private let elapsed: @Sendable () -> Duration

    /// - Parameter passed: The time that has passed already.
    init<C: Clock>(_ clock: C, passed: Duration) where C.Duration == Duration {
        let start = clock.now.advanced(by: .zero - passed)
        elapsed = { start.duration(to: clock.now) }
    }

    var passed: Duration { elapsed() }
}

extension Duration {
    /// The number of whole periods in the time, at most 10^15. The quotient of two durations is a
    /// float, which may be just below or above the right number.
    fileprivate func count(of period: Duration) -> Int {
        var count = Int(min(max(self / period, 0), 1e15))
        while count > 0, period * count > self { count -= 1 }
        while count < 1_000_000_000_000_000, period * (count + 1) <= self { count += 1 }
        return count
    }
}
