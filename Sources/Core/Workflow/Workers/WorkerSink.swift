/// Receives the outputs of a running worker.
///
/// ```swift
/// func run(into sink: WorkerSink<String>) async throws {
///     sink.send("loaded")
///     try await WorkerClock.sleep(for: .seconds(1))
///     await sink.deliver("saved")
/// }
/// ```
///
/// Thread-safe. After the worker was stopped, outputs are dropped.
public struct WorkerSink<Output: Sendable>: Sendable {
    /// Emits an output, and calls the second argument once it has been applied or dropped.
    @usableFromInline typealias Body = @Sendable (Output, (@Sendable () -> Void)?) -> Void

    private let body: Body

    /// Makes a sink that passes each output to `body`, for testing a worker alone.
    ///
    /// ```swift
    /// try await LookUp(text: "ab").run(into: WorkerSink { print($0) })
    /// ```
    public init(_ body: @escaping @Sendable (Output) -> Void) {
        self.init(body: { output, onTaken in
            body(output)
            onTaken?()
        })
    }

    @usableFromInline
    init(body: @escaping Body) { self.body = body }

    /// Emits `output` and returns at once. Outputs are applied in the order in which they are sent.
    ///
    /// ```swift
    /// let onLine: @Sendable (String) -> Void = { sink.send($0) }
    /// ```
    ///
    /// - Important: Outputs wait in memory, so a worker faster than its host should use
    ///   ``deliver(_:)``.
    public func send(_ output: Output) { body(output, nil) }

    /// Emits `output`, and returns once it has been applied or dropped. So at most one output of
    /// the worker waits for the host.
    ///
    /// ```swift
    /// for line in lines { await sink.deliver(line) }
    /// ```
    public func deliver(_ output: Output) async {
        await withCheckedContinuation { continuation in
            body(output) { continuation.resume() }
        }
    }
}
