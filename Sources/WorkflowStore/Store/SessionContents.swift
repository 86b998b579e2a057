public import WorkflowKit

/// What it takes to go on with a session.
public struct SessionContents: Sendable, Hashable {
    /// The session in short.
    public var summary: SessionSummary
    /// A snapshot of it.
    public var snapshot: SessionSnapshot
    /// The inputs after the snapshot, in order, up to the last step.
    public var inputs: [FlowInput]

    /// Contents from their parts.
    public init(summary: SessionSummary, snapshot: SessionSnapshot, inputs: [FlowInput]) {
        self.summary = summary
        self.snapshot = snapshot
        self.inputs = inputs
    }
}
