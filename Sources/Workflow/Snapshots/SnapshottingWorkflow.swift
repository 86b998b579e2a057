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
}
