/// A failed action, render or worker, with its node.
public struct WorkflowFailure: Error, CustomStringConvertible {
    /// The phase in which a failure happened.
    public enum Phase: Sendable, Hashable {
        /// An action, or one caused by its outputs, failed; everything was rolled back.
        case apply
        /// A render failed; the host keeps its last good rendering.
        case render
        /// A worker threw an error that its parent does not handle.
        case work
    }

    /// The node to which the action was sent, or whose render failed.
    public let path: NodePath
    /// The phase in which the failure happened.
    public let phase: Phase
    /// The thrown error, or the argument of ``RenderContext/fail(_:)``.
    public let error: any Error

    /// A sentence such as `the action sent to app/row:3 failed: …`.
    public var description: String {
        switch phase {
        case .apply: "the action sent to \(path) failed and was rolled back: \(error)"
        case .render: "\(path) failed to render: \(error)"
        case .work: "the worker \(path) failed: \(error)"
        }
    }
}
