package import PlainValue
package import Workflow
package import WorkflowLua

/// What a session's player lets others do: look at the past, and replay it aside.
///
/// All of it leaves the session as it is, and nobody is told of what is replayed.
package protocol FlowPast: AnyObject {
    /// The flow; `nil` before it is loaded and after the end.
    var flow: LuaFlow? { get }
    /// The first event of the log; `nil` before the beginning.
    var header: FlowHeader? { get }
    /// True if other files of the flow made the snapshot that the session went on from.
    var hasOtherFiles: Bool { get }
    /// The step that is shown: 0 is the beginning, n the moment after the n-th input.
    var step: Int { get }
    /// The host of the tree that is shown; `nil` after the end.
    var shownTree: WorkflowHost<LuaWorkflow>? { get }

    // MARK: Inputs

    /// The input that led to a step, which must be one of the timeline.
    func input(_ step: Int) -> FlowInput
    /// Counts the inputs that led to some steps, in parts of about the same size, by their kinds:
    /// actions, news of workers, and props.
    func countInputs(_ steps: ClosedRange<Int>, parts: Int) -> [[Int]]
    /// The step after which steps became other ones since a revision of the timeline, which becomes
    /// the present one; `nil` if none did.
    func lastStep(since revision: inout Int) -> Int?

    // MARK: Looks

    /// The rendering and the nodes at a step.
    func look(at step: Int) throws(FlowError) -> (rendering: Value, root: FlowNode)
    /// Tells how some steps came of those before them, in order.
    ///
    /// - Parameter onStep: Called with the nodes before and after each of them, and with the
    ///   results of its input; `false` ends it.
    func passages(
        _ steps: ClosedRange<Int>,
        onStep: (_ before: FlowNode, _ after: FlowNode, _ played: Rehearsal.Played) -> Bool
    ) throws(FlowError)
    /// Calls a function with the renderings and states of some steps, in order.
    ///
    /// - Parameters:
    ///   - first: The first of them; `nil` for the first that can be replayed.
    ///   - onStep: Called with each of them; `false` ends it.
    func search(
        from first: Int?, through last: Int,
        onStep: (_ step: Int, _ rendering: Value, _ props: Value, _ state: Value)
            throws(FlowError) -> Bool
    ) throws(FlowError)
    /// The plain value of a Lua expression, which sees nothing but the values that are given.
    func value(of expression: String, seeing names: [(String, Value)]) throws(FlowError) -> Value
    /// Forgets all that looks have left for the next ones.
    func forgetLooks()

    // MARK: Rehearsals

    /// Calls a function with a rehearsal of its own, which stands at a step and is ended
    /// afterwards.
    func rehearse<Result>(
        at step: Int, _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result
    /// Calls a function with a rehearsal of its own, which stands at the last kept state before a
    /// step or at it.
    func rehearse<Result>(
        before step: Int, _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result
    /// Calls a function with a rehearsal of its own that is made from a checkpoint, and ended
    /// afterwards.
    ///
    /// - Parameters:
    ///   - workflow: What is at the root; `nil` for the flow.
    ///   - trace: The trace of what runs until its tree is made.
    func rehearse<Result>(
        from checkpoint: FlowCheckpoint, workflow: LuaWorkflow?, tracing trace: FlowTrace?,
        _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result
    /// Replays the beginning with a trace: its states are made and rendered for the first time.
    func replayBeginning(_ trace: FlowTrace) throws(FlowError) -> Rehearsal.Played
}

extension FlowPlayer: FlowPast {
    func replayBeginning(_ trace: FlowTrace) throws(FlowError) -> Rehearsal.Played {
        try replayBeginning(trace, byCodeOfNow: false)
    }
}
