/// Where a running worker sends its outputs.
///
/// It may be used from anywhere; once the worker was stopped, what is sent is dropped.
public struct WorkerSink<Output: Sendable>: Sendable {
    private let body: @Sendable (Output) -> Void

    /// A sink that hands each output to `body`, for tests of a worker by itself.
    public init(_ body: @escaping @Sendable (Output) -> Void) { self.body = body }

    /// Emits `output`; outputs are applied in the order in which they are sent.
    public func send(_ output: Output) { body(output) }
}
