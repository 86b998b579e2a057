/// An action or a render that failed, and where.
public struct WorkflowFailure: Error, CustomStringConvertible {
    /// What the runtime was doing.
    public enum Phase: Sendable, Hashable {
        /// An action, or one that its output caused further up, was applied; all of it was rolled back.
        case apply
        /// A node rendered; the host keeps its last good rendering.
        case render
        /// A worker threw, and its parent handles no failures.
        case work
    }

    /// The node: where the action was sent, or which node's render failed.
    public let path: NodePath
    /// What the runtime was doing.
    public let phase: Phase
    /// What was thrown, or given to ``RenderContext/fail(_:)``.
    public let error: any Error

    /// A failure from its parts.
    public init(path: NodePath, phase: Phase, error: any Error) {
        self.path = path
        self.phase = phase
        self.error = error
    }

    /// A sentence such as `the action sent to app/row:3 failed: …`.
    public var description: String {
        switch phase {
        case .apply: "the action sent to \(path) failed and was rolled back: \(error)"
        case .render: "\(path) failed to render: \(error)"
        case .work: "the worker \(path) failed: \(error)"
        }
    }
}
