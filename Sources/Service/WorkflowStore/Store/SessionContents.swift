public import WorkflowKit

/// A snapshot of a session and the inputs after it.
public struct SessionContents: Sendable, Hashable {
    /// The summary.
    public var summary: SessionSummary
    /// A snapshot of it.
    public var snapshot: SessionSnapshot
    /// The inputs after the snapshot, in order, up to the last step.
    public var inputs: [FlowInput]

    /// Creates contents.
    public init(summary: SessionSummary, snapshot: SessionSnapshot, inputs: [FlowInput]) {
        self.summary = summary
        self.snapshot = snapshot
        self.inputs = inputs
    }
}
