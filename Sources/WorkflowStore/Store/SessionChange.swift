public import WorkflowKit

/// What is added to a session in one go.
public struct SessionChange: Sendable, Hashable {
    /// How many inputs stay; those after them are given up.
    public var keeping: Int
    /// The inputs that come after those that stay, in order.
    public var inputs: [FlowInput]
    /// The step at which the session stands then.
    public var step: Int
    /// A snapshot of the session at a step, if one was made.
    public var snapshot: SessionSnapshot?
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// A change from its parts.
    public init(
        keeping: Int, inputs: [FlowInput] = [], step: Int, snapshot: SessionSnapshot? = nil,
        milliseconds: Int
    ) {
        self.keeping = keeping
        self.inputs = inputs
        self.step = step
        self.snapshot = snapshot
        self.milliseconds = milliseconds
    }

    /// The last step of the session then.
    public var stepCount: Int { keeping + inputs.count }
}
