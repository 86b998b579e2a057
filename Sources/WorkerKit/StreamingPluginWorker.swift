/// A worker whose outputs are the elements of an asynchronous sequence.
///
/// An element is asked for only when the flow has room for it, so a fast sequence waits for a slow
/// flow.
public protocol StreamingPluginWorker<Input, Output>: EmittingPluginWorker {
    /// What a flow hands over.
    associatedtype Input

    /// What a flow receives for each element.
    associatedtype Output

    /// The sequence; its elements are the outputs.
    associatedtype Outputs: AsyncSequence where Outputs.Element == Output

    /// Starts the work: returns the sequence of outputs, which may throw.
    ///
    /// - Throws: What makes the run fail; a ``WorkerError`` arrives as it is.
    func run(_ input: Input, context: WorkerContext) async throws -> Outputs
}

extension StreamingPluginWorker {
    /// Emits each element.
    public func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        for try await output in try await run(input, context: context) {
            try await outputs.send(output)
        }
    }
}
