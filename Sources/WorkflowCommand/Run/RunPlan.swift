import FlowPrinting
import FlowREPL
import WorkflowKit

/// What a run is to do, however it speaks.
struct RunPlan {
    let source: FlowSource
    let options: FlowOptions
    /// What to go on from.
    let snapshot: FlowSnapshot?
    let inputs: RunInputs
    /// Whether standard input holds actions.
    let takesInput: Bool
    /// Whether the run goes on after the root's first output.
    let keepsGoing: Bool
    /// What becomes of the state when the flow's files have changed.
    let reload: ReloadPolicy
    /// Where others attach to the run, which then goes on when its input is at the end.
    let socket: String?
    /// Called at the end, before the session is closed.
    let save: (FlowSession) async throws(Refusal) -> Void
}
