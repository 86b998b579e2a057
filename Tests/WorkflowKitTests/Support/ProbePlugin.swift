import PlainValue
import Synchronization
import WorkerKit

/// A plugin whose worker `probe.run` is controlled by the test.
final class ProbePlugin: Sendable {
    struct Run: Sendable {
        let input: Value
        let outputs: WorkerEmitter<Value>
        fileprivate let ending: AsyncStream<WorkerError?>.Continuation
        fileprivate let ended: Latch

        func finish() { ending.yield(nil) }

        func fail(_ error: WorkerError) { ending.yield(error) }

        /// Waits until the worker has returned for any reason.
        func untilEnded() async { await ended.waitUntilOpen() }
    }

    private struct Counts {
        var begun = 0
        var ended = 0
    }

    private let counts = Mutex(Counts())
    private let runs: AsyncStream<Run>
    private let begin: AsyncStream<Run>.Continuation

    init() { (runs, begin) = AsyncStream<Run>.makeStream() }

    var begun: Int { counts.withLock(\.begun) }
    var ended: Int { counts.withLock(\.ended) }

    func next() async -> Run? {
        for await run in runs { return run }
        return nil
    }

    /// Forgets the runs that were not asked for: they keep their session, which keeps the plugin.
    func close() async {
        begin.finish()
        for await _ in runs {}
    }

    var plugin: Plugin {
        Plugin(
            "probe", version: "1.0.0",
            definitions: [
                WorkerDefinition(name: "probe.run", summary: "") { [self] input, _, outputs in
                    try await run(input, outputs)
                }
            ])
    }

    private func run(_ input: Value, _ outputs: WorkerEmitter<Value>) async throws {
        let (endings, ending) = AsyncStream<WorkerError?>.makeStream()
        let ended = Latch()
        counts.withLock { $0.begun += 1 }
        begin.yield(Run(input: input, outputs: outputs, ending: ending, ended: ended))
        defer {
            counts.withLock { $0.ended += 1 }
            ended.open()
        }
        for await error in endings {
            if let error { throw error }
            return
        }
        throw CancellationError()
    }
}
