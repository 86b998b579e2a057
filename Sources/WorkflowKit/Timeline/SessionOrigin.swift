import PlainValue
import Workflow
import WorkflowLua

/// What a session's timeline begins with: all that its first tree is made from.
struct SessionOrigin {
    let props: Value
    let random: RandomState
    /// The states that it went on from; `nil` for a session that began anew.
    let tree: TreeSnapshot?
    let endedWorkers: [Timeline.EndedWorker]
}
