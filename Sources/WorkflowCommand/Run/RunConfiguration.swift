import WorkflowKit

/// The configuration of a run, in text or in JSON.
struct RunConfiguration {
    let source: FlowSource
    let options: FlowOptions
    /// The snapshot to go on from.
    let snapshot: FlowSnapshot?
    let inputs: RunInputs
    /// True if standard input holds actions.
    let takesInput: Bool
    /// True if the run goes on after the root's first output.
    let keepsGoing: Bool
    /// The treatment of the state when the flow's files have changed.
    let reload: ReloadPolicy
    /// The socket at which others attach; the run then goes on at the end of its input.
    let socket: String?
    /// The page that shows the session; the run then goes on at the end of its input, and after outputs.
    let inspection: Inspection?
    /// Called at the end, before the session is closed.
    let save: (FlowSession) async throws -> Void
}
