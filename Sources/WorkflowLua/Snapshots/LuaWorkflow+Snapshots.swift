public import Workflow

extension LuaWorkflow: SnapshottingWorkflow {
    /// The state, with the version of the definition.
    public func snapshot(of state: LuaState) throws -> SnapshotValue? {
        .content(ScriptedState(version: definition.version, state: state.value))
    }

    /// The props.
    public var inputsForSnapshot: SnapshotValue? { .content(PlainState(props)) }

    /// The state of a snapshot; that of another version goes through the definition's `migrate`.
    ///
    /// - Throws: A ``FlowError`` if there is no `migrate`, or it fails.
    public func restoreState(from snapshot: SnapshotValue) throws -> LuaState {
        let kept = try snapshot.decode(as: ScriptedState.self)
        return try runtime.restoreState(kept, of: self)
    }
}
