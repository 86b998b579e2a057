import PlainValue

struct NotSnapshotted: Error, CustomStringConvertible {
    let stateType: String
    var description: String {
        "\(stateType) is not Codable, and its workflow is not a SnapshottingWorkflow"
    }
}

/// The error for a state of a node of another type at the path; the new node begins with its own.
package struct StateOfAnotherNode: Error {
    package init() {}
}

enum StateSnapshots {
    static var encoder: ValueEncoder {
        var encoder = ValueEncoder()
        encoder.writesLargeIntegersAsText = true
        return encoder
    }

    static func snapshot<W: Workflow>(
        of state: W.State, in workflow: W
    ) throws -> StateSnapshot? {
        if let workflow = workflow as? any SnapshottingWorkflow {
            func snapshot<S: SnapshottingWorkflow>(by workflow: S) throws -> StateSnapshot? {
                try (state as? S.State).flatMap { try workflow.snapshot(of: $0) }
            }
            return try snapshot(by: workflow)
        }
        if W.State.self == Void.self { return nil }
        guard let state = state as? any Codable else {
            throw NotSnapshotted(stateType: typeName(of: W.State.self))
        }
        return StateSnapshot(try encoder.encode(state))
    }

    static func areKept<W: Workflow>(by workflow: W) -> Bool {
        workflow is any SnapshottingWorkflow || W.State.self is any Codable.Type
    }

    static func restore<W: Workflow>(
        _ snapshot: StateSnapshot, for workflow: W, replacing old: W.State? = nil
    ) throws -> W.State? {
        if let old, let workflow = workflow as? any KeepingWorkflow {
            func restore<K: KeepingWorkflow>(by workflow: K) throws -> K.State? {
                try (old as? K.State).map {
                    try workflow.restoreState(from: snapshot, replacing: $0)
                }
            }
            return try restore(by: workflow) as? W.State
        }
        if let workflow = workflow as? any SnapshottingWorkflow {
            return try workflow.restoreState(from: snapshot) as? W.State
        }
        guard let type = W.State.self as? any Codable.Type else {
            throw NotSnapshotted(stateType: typeName(of: W.State.self))
        }
        var decoder = ValueDecoder()
        decoder.readsLargeIntegersFromText = true
        return try decoder.decode(type, from: snapshot.value) as? W.State
    }
}
