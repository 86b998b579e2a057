import WorkerKit

/// `clock.after`: one output when some seconds have passed.
struct ClockAfter: PluginWorker {
    static let name = "clock.after"
    static let summary = "Waits for some seconds, then gives one output."

    struct Input: Codable, Sendable {
        var seconds: Double
        /// What becomes of it in a session that goes on from a snapshot; `deadline` if left out.
        var restore: String?
    }

    struct Output: Codable, Sendable {
        /// How many seconds were asked for.
        var seconds: Double

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            // Whole ones are seen as they were written.
            if let whole = Int(exactly: seconds) {
                try fields.encode(whole, forKey: .seconds)
            } else {
                try fields.encode(seconds, forKey: .seconds)
            }
        }
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Output {
        let whole = try duration(input.seconds, least: 0)
        let policy = try Restoring(name: input.restore)
        let wait = whole - policy.passed
        if wait > .zero { try await context.wait(for: wait, policy) }
        return Output(seconds: input.seconds)
    }
}
