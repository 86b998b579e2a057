public import WorkflowKit
public import WorkflowLua

/// The effect of other files on a stored session.
public enum SessionFit: Sendable {
    /// All stored inputs give the same results.
    case same
    /// A step differs; these are the differences of the first such step.
    case differs([ReplayDifference])
    /// The session cannot be opened.
    case refused(FlowError)
    /// The session can be opened, but its own files are not stored or no longer work.
    case unknown
}
