/// A worker whose outputs are the elements of an asynchronous sequence.
///
/// ```swift
/// func run(_ input: Input, context: WorkerContext) -> AsyncStream<String> {
///     AsyncStream { lines in
///         for line in input.text.split(separator: "\n") { lines.yield(String(line)) }
///         lines.finish()
///     }
/// }
/// ```
///
/// An element is requested when the flow has room for it: a fast sequence waits for a slow flow.
public protocol StreamingPluginWorker<Input, Output>: EmittingPluginWorker {
    /// The input from the flow.
    associatedtype Input

    /// The output that the flow receives for each element.
    associatedtype Output

    /// The sequence; its elements are the outputs.
    associatedtype Outputs: AsyncSequence where Outputs.Element == Output

    /// Starts the work and returns the sequence of outputs, which may throw.
    ///
    /// - Throws: Any error makes the run fail; a ``WorkerError`` reaches the flow unchanged.
    func run(_ input: Input, context: WorkerContext) async throws -> Outputs
}

extension StreamingPluginWorker {
    /// Emits each element.
    ///
    /// - Parameters:
    ///   - input: The input, decoded from the flow's value.
    ///   - context: The clock, log, folder and grants of the run.
    ///   - outputs: Receives the elements; the next is requested when there is room.
    /// - Throws: The error of the other `run`, its sequence, or ``WorkerEmitter/send(_:)``.
    public func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        for try await output in try await run(input, context: context) {
            try await outputs.send(output)
        }
    }
}
