/// The result of starting a host from a snapshot.
public struct Restoration: Hashable, Sendable {
    /// Nodes of the first pass whose state the snapshot lacks; they started with a new one.
    public var missing: [NodePath] = []
    /// Nodes with a state in the snapshot that the first pass did not render.
    public var orphaned: [NodePath] = []
    /// Nodes whose state could not be restored; they started with a new state.
    public var lost: [TreeSnapshot.Loss] = []

    /// Makes a complete restoration.
    public init() {}

    /// True if every state was restored.
    public var isComplete: Bool { missing.isEmpty && orphaned.isEmpty && lost.isEmpty }
}
