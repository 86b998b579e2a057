/// What became of a snapshot from which a host was started.
public struct Restoration: Hashable, Sendable {
    /// Nodes of the first pass that keep their state in snapshots and had none in this one; they started afresh.
    public var missing: [NodePath] = []
    /// Nodes of the snapshot, with a state, that the first pass did not have.
    public var orphaned: [NodePath] = []
    /// Nodes whose state could not be restored; they started afresh.
    public var lost: [TreeSnapshot.Loss] = []

    /// Nothing was lost.
    public init() {}

    /// Whether every state was kept and found its node.
    public var isComplete: Bool { missing.isEmpty && orphaned.isEmpty && lost.isEmpty }
}
