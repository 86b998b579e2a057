import WorkerKit

/// Counts on the clock of the session, a second for each number.
struct Count: EmittingPluginWorker {
    static let name = "greeter.count"
    static let summary = "Counts, a number a second."

    struct Input: Codable, Sendable {
        var to: Int
        var pause: Double?
    }

    func run(_ input: Input, context: WorkerContext, outputs: WorkerEmitter<Int>) async throws {
        guard input.to >= 1 else {
            throw WorkerError(
                "nothing_to_count", "cannot count to \(input.to)", help: "take 1 or more")
        }
        for number in 1...input.to {
            try await context.sleep(for: .seconds(input.pause ?? 1))
            try await outputs.send(number)
        }
        context.log.info("counted to \(input.to)")
    }
}
