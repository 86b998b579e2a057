public import PlainValue

/// An output of a worker on its way to the node that declared it.
///
/// Let go of it once it is applied: it may hold a place among the outputs that may be on their way.
public struct WorkerOutput: Sendable {
    /// The output.
    public var value: Value
    /// Kept until the output is applied, such as its place in a queue of limited size.
    public var hold: (any Sendable)?

    /// An output from its parts.
    public init(_ value: Value, hold: (any Sendable)? = nil) {
        self.value = value
        self.hold = hold
    }
}
