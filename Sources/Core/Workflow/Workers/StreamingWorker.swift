/// A worker whose outputs are the elements of an asynchronous sequence.
///
/// ```swift
/// struct Countdown: StreamingWorker, Equatable {
///     var from: Int
///
///     func run() -> AsyncStream<Int> {
///         AsyncStream { continuation in
///             for number in (0...from).reversed() { continuation.yield(number) }
///             continuation.finish()
///         }
///     }
/// }
/// ```
public protocol StreamingWorker<Output>: EmittingWorker {
    /// The worker's outputs.
    associatedtype Output

    /// The sequence; its elements are the outputs.
    associatedtype Outputs: AsyncSequence where Outputs.Element == Output

    /// Starts the work and returns the sequence of outputs, which may throw. Called once. The
    /// sequence is read in its own task, cancelled when the worker stops.
    func run() -> Outputs
}

extension StreamingWorker {
    /// Delivers each element of ``run()``. The next one is requested when the last one has been
    /// applied, and none after the worker was stopped.
    public func run(into sink: WorkerSink<Output>) async throws {
        for try await output in run() {
            // A sequence may go on for ever although its task is cancelled.
            if Task.isCancelled { return }
            await sink.deliver(output)
        }
    }
}
