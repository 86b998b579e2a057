public import PlainValue

/// An output of a worker on its way to the node that declared it.
///
/// - Important: Release it once it is applied: it may occupy a slot in a bounded queue.
public struct WorkerOutput: Sendable {
    /// The output.
    public var value: Value
    /// An object to keep until the output is applied, such as a slot in a bounded queue.
    public var hold: (any Sendable)?

    /// Makes an output from its parts.
    public init(_ value: Value, hold: (any Sendable)? = nil) {
        self.value = value
        self.hold = hold
    }
}
