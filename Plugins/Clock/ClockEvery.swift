import WorkerKit

/// `clock.every`: an output each time that some seconds have passed.
struct ClockEvery: EmittingPluginWorker {
    static let name = "clock.every"
    static let summary = "Gives an output each time that some seconds have passed."

    /// The shortest time between two ticks.
    private static let shortest = 0.001

    struct Input: Codable, Sendable {
        var seconds: Double
        /// What becomes of it in a session that goes on from a snapshot; `deadline` if left out.
        var restore: String?
    }

    struct Output: Codable, Sendable {
        /// The number of the tick, from 1; numbers are missing when the flow was too slow for them.
        var tick: Int
    }

    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        let period = try duration(input.seconds, least: Self.shortest)
        let policy = try Restoring(name: input.restore)
        let clock = Stopwatch(context.clock, passed: policy.passed)
        var tick = Int(min(clock.passed / period, 1e15))
        if policy == .deadline, let resumption = WorkerResumption.current,
            tick > Int(min(resumption.ran / period, 1e15))
        {
            // The session was closed when it was due.
            try await outputs.send(Output(tick: tick))
        }
        // Ticks at multiples of the period after the start, so that delays do not add up.
        while true {
            // Ticks that were missed are left out rather than made up for in a burst.
            tick = max(tick + 1, Int(min(clock.passed / period, 1e15)))
            try await context.wait(for: max(period * tick - clock.passed, .zero), policy)
            try await outputs.send(Output(tick: tick))
        }
    }
}

/// How much time has passed on a clock since a timer was started.
private struct Stopwatch: Sendable {
    private let elapsed: @Sendable () -> Duration

    /// - Parameter passed: How much of it had passed by now.
    init<C: Clock>(_ clock: C, passed: Duration) where C.Duration == Duration {
        let start = clock.now.advanced(by: .zero - passed)
        elapsed = { start.duration(to: clock.now) }
    }

    var passed: Duration { elapsed() }
}
