import WorkerKit

/// `clock.after`: one output after some seconds.
struct ClockAfter: PluginWorker {
    static let name = "clock.after"
    static let summary = "Waits for some seconds, then gives one output."

    struct Input: Codable, Sendable {
        var seconds: Double
        /// The policy for the timer when the session is resumed; `deadline` by default.
        var restore: String?
    }

    struct Output: Codable, Sendable {
        /// The number of seconds in the input.
        var seconds: Double

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            // Integers are encoded as integers.
            if let whole = Int(exactly: seconds) {
                try fields.encode(whole, forKey: .seconds)
            } else {
                try fields.encode(seconds, forKey: .seconds)
            }
        }
    }

    func run(_ input: Input, context: WorkerContext) async throws -> Output {
        let whole = try duration(input.seconds, least: 0)
        let policy = try RestorePolicy(name: input.restore)
        let wait = whole - policy.passed
        if wait > .zero { try await context.wait(for: wait, policy) }
        return Output(seconds: input.seconds)
    }
}
