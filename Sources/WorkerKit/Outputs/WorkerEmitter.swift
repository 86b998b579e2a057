public import PlainValue

/// Where a running worker sends its outputs.
///
/// May be used from several tasks at once and kept for any time: once the run is over it takes
/// nothing any more.
public struct WorkerEmitter<Output: Encodable & Sendable>: Sendable {
    private let deliver: @Sendable (Value) async throws -> Void
    /// The window that the outputs go through, unless they go to a test.
    private let window: OutputWindow?

    /// An emitter that hands each output to `deliver`, for tests of a worker by itself.
    ///
    /// - Parameter deliver: Returns when there is room for more; throws when the run is over.
    public init(_ deliver: @escaping @Sendable (Value) async throws -> Void) {
        self.deliver = deliver
        window = nil
    }

    /// An emitter of outputs that go to a flow.
    package init(_ window: OutputWindow) {
        deliver = { try await window.send($0) }
        self.window = window
    }

    /// Emits `output`, and waits as long as the flow has too many outputs to deal with.
    ///
    /// Outputs that one task sends one after the other arrive in that order.
    ///
    /// - Throws: `CancellationError` when the run is over; a ``WorkerError`` when the output
    ///   cannot be a plain value, such as one with a float that is not finite.
    public func send(_ output: Output) async throws {
        let value: Value
        do {
            value = try ValueEncoder().encode(output)
        } catch let EncodingError.invalidValue(_, context) {
            throw WorkerError("bad_output", "an output is no value: \(context.debugDescription)")
        }
        try await deliver(value)
    }

    /// Does a run that puts its outputs into a window.
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
                    // So that the run learns of it.
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
            // Outputs arrive before the failure that they came before.
            try await group.waitForAll()
            if let failure { throw failure }
        }
    }
}
