/// Why the state of a node is not in a snapshot.
struct NotSnapshotted: Error, CustomStringConvertible {
    let stateType: String
    var description: String {
        "\(stateType) is not Codable, and its workflow is no SnapshottingWorkflow"
    }
}

/// How the states of one workflow type are kept.
enum StateSnapshots<W: Workflow> {
    static func snapshot(of state: W.State, in workflow: W) throws -> SnapshotValue? {
        if let workflow = workflow as? any SnapshottingWorkflow {
            return try snapshot(of: state, by: workflow)
        }
        if W.State.self == Void.self { return nil }
        guard let state = state as? any Codable else {
            throw NotSnapshotted(stateType: typeName(of: W.State.self))
        }
        return try SnapshotValue(encoding: state)
    }

    private static func snapshot<S: SnapshottingWorkflow>(
        of state: W.State, by workflow: S
    ) throws -> SnapshotValue? {
        try (state as? S.State).flatMap { try workflow.snapshot(of: $0) }
    }

    /// Whether nodes of the type have a state that a snapshot keeps.
    static func areKept(by workflow: W) -> Bool {
        workflow is any SnapshottingWorkflow || W.State.self is any Codable.Type
    }

    static func restore(_ snapshot: SnapshotValue, for workflow: W) throws -> W.State? {
        if let workflow = workflow as? any SnapshottingWorkflow {
            return try restore(snapshot, by: workflow)
        }
        guard let type = W.State.self as? any Codable.Type else {
            throw NotSnapshotted(stateType: typeName(of: W.State.self))
        }
        return try snapshot.decode(as: type) as? W.State
    }

    private static func restore<S: SnapshottingWorkflow>(
        _ snapshot: SnapshotValue, by workflow: S
    ) throws -> W.State? {
        try workflow.restoreState(from: snapshot) as? W.State
    }
}
