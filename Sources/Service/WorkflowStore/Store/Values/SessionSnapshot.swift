public import PlainValue

/// A snapshot of a session at a step.
public struct SessionSnapshot: Sendable, Hashable {
    /// The step: 0 is the beginning, n is after the n-th input.
    public var step: Int
    /// The snapshot; see `FlowSnapshot.document`.
    public var document: Value

    /// Makes a snapshot from its parts.
    public init(step: Int, document: Value) {
        self.step = step
        self.document = document
    }

    /// The number of the latest snapshots of a session that are kept besides the first one.
    package static let kept = 8
}
