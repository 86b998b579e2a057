/// Where a running worker sends its outputs.
///
/// It may be used from anywhere; once the worker was stopped, what is sent is dropped.
public struct WorkerSink<Output: Sendable>: Sendable {
    /// Emits an output, and calls the second argument once it has been applied or dropped.
    @usableFromInline typealias Body = @Sendable (Output, (@Sendable () -> Void)?) -> Void

    private let body: Body

    /// A sink that hands each output to `body`, for tests of a worker by itself.
    public init(_ body: @escaping @Sendable (Output) -> Void) {
        self.init(body: { output, onTaken in
            body(output)
            onTaken?()
        })
    }

    @usableFromInline
    init(body: @escaping Body) { self.body = body }

    /// Emits `output` and goes on at once; outputs are applied in the order in which they are sent.
    ///
    /// A worker that may emit faster than its host applies uses ``deliver(_:)``: what is sent waits in memory.
    public func send(_ output: Output) { body(output, nil) }

    /// Emits `output`, and returns once it has been applied or dropped.
    ///
    /// However fast the worker is, no more than this output of its waits for the host.
    public func deliver(_ output: Output) async {
        await withCheckedContinuation { continuation in
            body(output) { continuation.resume() }
        }
    }
}
