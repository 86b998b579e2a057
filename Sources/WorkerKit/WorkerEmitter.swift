public import PlainValue

/// Where a running worker sends its outputs.
///
/// May be used from several tasks at once and kept for any time: once the run is over it takes
/// nothing any more.
public struct WorkerEmitter<Output: Encodable & Sendable>: Sendable {
    private let deliver: @Sendable (Value) async throws -> Void

    /// An emitter that hands each output to `deliver`, for tests of a worker by itself.
    ///
    /// - Parameter deliver: Returns when there is room for more; throws when the run is over.
    public init(_ deliver: @escaping @Sendable (Value) async throws -> Void) {
        self.deliver = deliver
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
}
