public import WorkflowKit
public import WorkflowLua

/// What becomes of a kept session with other files of its flow.
public enum SessionFit: Sendable {
    /// All kept inputs give the same with them.
    case same
    /// A step is another one with them: what differs at the first such step.
    case differs([ReplayDifference])
    /// The session cannot be opened with them.
    case refused(FlowError)
    /// The session can be opened, and the files that it was played with are not kept, or cannot be played any more.
    case unknown
}
