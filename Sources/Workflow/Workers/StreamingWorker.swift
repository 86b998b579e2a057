/// A worker whose outputs are the elements of an asynchronous sequence.
public protocol StreamingWorker<Output>: EmittingWorker {
    /// What the worker emits.
    associatedtype Output

    /// The sequence; its elements are the outputs.
    associatedtype Outputs: AsyncSequence where Outputs.Element == Output

    /// Starts the work: returns the sequence of outputs, which may throw.
    ///
    /// Called once; the sequence is read in a task of its own, which is cancelled when the worker is to stop.
    func run() -> Outputs
}

extension StreamingWorker {
    /// Delivers each element of ``run()``; the next one is asked for when the last one has been applied.
    public func run(into sink: WorkerSink<Output>) async throws {
        for try await output in run() { await sink.deliver(output) }
    }
}
