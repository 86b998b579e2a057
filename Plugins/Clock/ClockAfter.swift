import WorkerKit

/// `clock.after`: one output when some seconds have passed.
struct ClockAfter: PluginWorker {
    static let name = "clock.after"
    static let summary = "Waits for some seconds, then gives one output."

    struct Input: Codable, Sendable {
        var seconds: Double
    }

    struct Output: Codable, Sendable {
        /// How many seconds were asked for.
        var seconds: Double
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Output {
        try await context.sleep(for: try duration(input.seconds, least: 0))
        return Output(seconds: input.seconds)
    }
}
