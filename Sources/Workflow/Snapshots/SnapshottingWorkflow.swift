/// A workflow that says itself how its state is kept in a snapshot.
public protocol SnapshottingWorkflow: Workflow {
    /// The state as a plain value, or `nil` if there is nothing to keep.
    ///
    /// - Throws: Whatever makes it impossible; the snapshot then lists the node as lost.
    func snapshot(of state: State) throws -> SnapshotValue?

    /// The state that a snapshot of it stands for; called instead of ``Workflow/makeInitialState()``.
    ///
    /// - Throws: Whatever makes it impossible; the node then starts afresh and is listed as lost.
    func restoreState(from snapshot: SnapshotValue) throws -> State

    /// The workflow's own inputs as a plain value, for those who read a snapshot; a restored node gets its inputs from
    /// its parent.
    var inputsForSnapshot: SnapshotValue? { get }
}

extension SnapshottingWorkflow {
    /// What the workflow encodes as, if it is `Encodable`.
    public var inputsForSnapshot: SnapshotValue? {
        (self as? any Encodable).flatMap { try? SnapshotValue(encoding: $0) }
    }
}
