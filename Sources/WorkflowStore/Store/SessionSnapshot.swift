public import PlainValue

/// A snapshot of a session, and the step that it was made at.
public struct SessionSnapshot: Sendable, Hashable {
    /// The step: 0 is the beginning of the session, n the moment after its n-th input.
    public var step: Int
    /// The snapshot; see `FlowSnapshot.document`.
    public var document: Value

    /// A snapshot from its parts.
    public init(step: Int, document: Value) {
        self.step = step
        self.document = document
    }
}
