public import PlainValue

/// A workflow that converts its state to and from a snapshot itself.
///
/// ```swift
/// func snapshot(of state: String) -> StateSnapshot? { StateSnapshot(.string(state)) }
///
/// func restoreState(from snapshot: StateSnapshot) -> String { snapshot.value.string ?? "" }
/// ```
public protocol SnapshottingWorkflow: Workflow {
    /// Returns the state as a plain value, or `nil` if there is nothing to save.
    ///
    /// - Throws: Any error; the snapshot then lists the node as lost.
    func snapshot(of state: State) throws -> StateSnapshot?

    /// Makes the state from a snapshot. Called instead of ``Workflow/makeInitialState()``.
    ///
    /// - Throws: Any error; the node then starts with a new state and is listed as lost.
    func restoreState(from snapshot: StateSnapshot) throws -> State

    /// The inputs as a plain value, for readers of a snapshot. Restored nodes get their parents'.
    var inputsForSnapshot: Value? { get }
}

extension SnapshottingWorkflow {
    /// The plain value that the workflow encodes as, if it is `Encodable`.
    public var inputsForSnapshot: Value? { plainValue(ofInputs: self) }
}

/// A workflow whose nodes keep more than their states. They can keep it when a state is restored.
package protocol KeepingWorkflow: SnapshottingWorkflow {
    func restoreState(from snapshot: StateSnapshot, replacing old: State) throws -> State
}

func plainValue(ofInputs workflow: some Workflow) -> Value? {
    (workflow as? any Encodable).flatMap { try? StateSnapshots.encoder.encode($0) }
}
