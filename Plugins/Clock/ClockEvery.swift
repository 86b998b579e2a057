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
        try await tick(
            every: period, passed: try Restoring.passed(input.restore), on: context.clock,
            into: outputs)
    }

    /// Ticks at multiples of the period after the start, so that delays do not add up.
    private func tick<C: Clock>(
        every period: Duration, passed: Duration, on clock: C,
        into outputs: WorkerEmitter<Output>
    ) async throws where C.Duration == Duration {
        let start = clock.now.advanced(by: .zero - passed)
        // The ticks up to now were given before, or missed.
        var tick = Int(min(passed / period, 1e15))
        while true {
            let passed = start.duration(to: clock.now)
            // Ticks that were missed are left out rather than made up for in a burst.
            tick = max(tick + 1, Int(min(passed / period, 1e15)))
            try await clock.sleep(until: start.advanced(by: period * tick), tolerance: nil)
            try await outputs.send(Output(tick: tick))
        }
    }
}
