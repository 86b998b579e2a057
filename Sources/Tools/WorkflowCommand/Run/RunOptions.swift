import WorkflowKit

struct RunOptions {
    let source: FlowSource
    let flowOptions: FlowOptions
    let snapshot: FlowSnapshot?
    let inputs: RunInputs
    /// True if standard input contains actions.
    let takesInput: Bool
    /// True if the run continues after the root's first output.
    let keepsGoing: Bool
    /// The treatment of the state when the flow's files change.
    let reload: ReloadPolicy
    /// The socket where others attach. With one, the run continues after the end of its input.
    let socket: String?
    /// The page of the session. With one, the run outlasts its input and its outputs.
    let inspection: Inspection?
    /// Called at the end, before the session is closed.
    let save: (FlowSession) async throws -> Void
}
