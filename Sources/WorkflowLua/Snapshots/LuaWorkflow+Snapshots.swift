public import PlainValue
public import Workflow

extension LuaWorkflow: SnapshottingWorkflow {
    /// The state, with the version of the definition.
    public func snapshot(of state: LuaState) throws -> StateSnapshot? {
        StateSnapshot(state.value, version: definition.version)
    }

    /// The props.
    public var inputsForSnapshot: Value? { props }

    /// The state of a snapshot; that of another version goes through the definition's `migrate`.
    ///
    /// - Throws: A ``FlowError`` if there is no `migrate`, or it fails.
    public func restoreState(from snapshot: StateSnapshot) throws -> LuaState {
        if let version = snapshot.version {
            return try runtime.restoreState(snapshot.value, version: version, of: self)
        }
        let kept = try ValueDecoder().decode(EncodedState.self, from: snapshot.value)
        return try runtime.restoreState(kept.state, version: kept.version, of: self)
    }
}

/// The state of a scripted node as an encoded snapshot has it.
private struct EncodedState: Decodable {
    var version: Int
    var state: Value
}
