package import PlainValue
package import Workflow
package import WorkflowLua

/// Access to the past of a session's player: looks at earlier steps, and replays aside.
///
/// No call changes the session, and replays emit no events.
package protocol FlowPast: AnyObject {
    /// The flow; `nil` before it is loaded and after the end.
    var flow: LuaFlow? { get }
    /// The header of the session; `nil` before its first event.
    var header: FlowHeader? { get }
    /// True if the snapshot that the session continued from was made by other files of the flow.
    var hasOtherFiles: Bool { get }
    /// The shown step: 0 is the beginning, n the moment after the n-th input.
    var step: Int { get }
    /// The host of the shown tree; `nil` after the end.
    var shownTree: WorkflowHost<LuaWorkflow>? { get }

    // MARK: Inputs

    /// The input that led to a step, which must be one of the timeline.
    func input(_ step: Int) -> FlowInput
    /// Counts the inputs that led to some steps, in parts of about the same size, by their kinds:
    /// actions, news of workers, and props.
    func countInputs(_ steps: ClosedRange<Int>, parts: Int) -> [[Int]]
    /// The last step that is unchanged since a revision of the timeline; `nil` if all are. The
    /// revision becomes the current one.
    func lastStep(since revision: inout Int) -> Int?

    // MARK: Looks

    /// The rendering and the nodes at a step.
    func look(at step: Int) throws(FlowError) -> (rendering: Value, root: FlowNode)
    /// Replays a range of steps, and passes on how each followed from the step before it.
    ///
    /// - Parameter onStep: Called with the nodes before and after each step, and with the results
    ///   of its input; `false` ends the replay.
    func transitions(
        _ steps: ClosedRange<Int>,
        onStep: (_ before: FlowNode, _ after: FlowNode, _ played: Rehearsal.Played) -> Bool
    ) throws(FlowError)
    /// Calls a function with the renderings and states of a range of steps, in order.
    ///
    /// - Parameters:
    ///   - first: The first step; `nil` for the first one that can be replayed.
    ///   - onStep: Called with each step in order; `false` ends the search.
    func search(
        from first: Int?, through last: Int,
        onStep: (_ step: Int, _ rendering: Value, _ props: Value, _ state: Value)
            throws(FlowError) -> Bool
    ) throws(FlowError)
    /// The plain value of a Lua expression that sees only the given values.
    func value(of expression: String, seeing names: [(String, Value)]) throws(FlowError) -> Value
    /// Discards the results that looks keep for later looks.
    func forgetLooks()

    // MARK: Rehearsals

    /// Calls a function with a new rehearsal at a step, and ends the rehearsal afterwards.
    func rehearse<Result>(
        at step: Int, _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result
    /// Calls a function with a new rehearsal at the last kept state at or before a step.
    func rehearse<Result>(
        before step: Int, _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result
    /// Calls a function with a new rehearsal from a checkpoint, and ends the rehearsal afterwards.
    ///
    /// - Parameter workflow: The root's workflow; `nil` for the flow's.
    func rehearse<Result>(
        from checkpoint: FlowCheckpoint, workflow: LuaWorkflow?, tracing trace: FlowTrace?,
        _ body: (Rehearsal) throws(FlowError) -> Result
    ) throws(FlowError) -> Result
    /// Replays the beginning with a trace: makes the states and renders for the first time.
    func replayBeginning(_ trace: FlowTrace) throws(FlowError) -> Rehearsal.Played
}

extension FlowPlayer: FlowPast {
    func replayBeginning(_ trace: FlowTrace) throws(FlowError) -> Rehearsal.Played {
        try replayBeginning(trace, byCodeOfNow: false)
    }
}
