public import PlainValue
public import Workflow

extension LuaWorkflow: KeepingWorkflow {
    /// The state, with the version of the definition.
    public func snapshot(of state: ScriptedState) throws -> StateSnapshot? {
        StateSnapshot(
            state.value, version: definition.version, definition: definition.identity.label)
    }

    /// The props.
    public var inputsForSnapshot: Value? { props }

    /// Restores the state of a snapshot, one of another version by the definition's `migrate`.
    ///
    /// - Throws: A ``FlowError`` if there is no `migrate`, or it fails; `StateOfAnotherNode` if
    ///   another definition of the same name made the state.
    public func restoreState(from snapshot: StateSnapshot) throws -> ScriptedState {
        if let label = snapshot.definition, runtime.hasOther(than: definition, labelled: label) {
            throw StateOfAnotherNode()
        }
        if let version = snapshot.version {
            return try ScriptedNode(self).makeState(snapshot.value, version: version)
        }
        let kept = try ValueDecoder().decode(EncodedState.self, from: snapshot.value)
        return try ScriptedNode(self).makeState(kept.state, version: kept.version)
    }

    /// Restores the state of a snapshot in an existing node, which keeps its references into Lua.
    package func restoreState(
        from snapshot: StateSnapshot, replacing old: ScriptedState
    ) throws -> ScriptedState {
        guard snapshot.version == definition.version,
            snapshot.definition == definition.identity.label
        else { return try restoreState(from: snapshot) }
        var new = old
        new.replace(by: snapshot.value)
        return new
    }
}

/// The state of a scripted node in an encoded snapshot.
private struct EncodedState: Decodable {
    var version: Int
    var state: Value
}
