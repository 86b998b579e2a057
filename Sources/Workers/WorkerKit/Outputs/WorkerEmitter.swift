public import PlainValue

/// Receives the outputs of a running worker.
///
/// ```swift
/// func run(_ input: Input, context: WorkerContext, outputs: WorkerEmitter<String>) async throws {
///     for _ in 0..<input.times { try await outputs.send(input.text) }
/// }
/// ```
///
/// Thread-safe, and may be stored. After the end of the run it accepts no outputs.
public struct WorkerEmitter<Output: Encodable & Sendable>: Sendable {
    private let deliver: @Sendable (Value) async throws -> Void
    /// The window of the outputs, unless they go to a test.
    private let window: OutputWindow?

    /// Makes an emitter that passes each output to `deliver`, for testing a worker alone.
    ///
    /// ```swift
    /// let outputs = WorkerEmitter<String> { print($0) }
    /// ```
    ///
    /// - Parameter deliver: Returns when there is room for more; throws after the end of the run.
    public init(_ deliver: @escaping @Sendable (Value) async throws -> Void) {
        self.deliver = deliver
        window = nil
    }

    package init(_ window: OutputWindow) {
        deliver = { try await window.send($0) }
        self.window = window
    }

    /// An emitter of outputs of this type that go where those of another one do.
    init<Other>(_ other: WorkerEmitter<Other>) {
        (deliver, window) = (other.deliver, other.window)
    }

    /// Emits `output`, and waits while the flow has too many pending outputs.
    ///
    /// The outputs of one task arrive in order.
    ///
    /// - Throws: `CancellationError` after the end of the run; a ``WorkerError`` if the output is
    ///   not a plain value, for example if it has a float that is not finite.
    public func send(_ output: Output) async throws {
        let value: Value
        do {
            value = try ValueEncoder().encode(output)
        } catch let EncodingError.invalidValue(_, context) {
            throw WorkerError(
                "bad_output", "an output must be a plain value: \(context.debugDescription)")
        }
        try await deliver(value)
    }

    package func withWindow(
        _ body: @Sendable (OutputWindow) async throws -> Void
    ) async throws {
        if let window { return try await body(window) }
        let (stream, continuation) = AsyncStream<(Value, OutputWindow.Slot)>.makeStream()
        let window = OutputWindow { continuation.yield(($0, $1)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [deliver] in
                do {
                    for await (value, _) in stream { try await deliver(value) }
                } catch {
                    // Closed, so that the run learns of the failure.
                    await window.close()
                    throw error
                }
            }
            let failure: (any Error)?
            do {
                try await body(window)
                failure = nil
            } catch {
                failure = error
            }
            await window.close()
            continuation.finish()
            // Earlier outputs arrive before the failure.
            try await group.waitForAll()
            if let failure { throw failure }
        }
    }
}
