package import PlainValue
package import Workflow
package import WorkflowLua

/// A flow that a tool plays without a session: the debugger, the explorer, and tests in Lua.
///
/// Its workers do nothing. Each call returns when all of its immediate consequences are done, and
/// throws the error of its input. A flow belongs to the isolation that makes it.
package protocol PlayedFlow: AnyObject {
    /// The flow; `nil` before it is loaded and after the end.
    var flow: LuaFlow? { get }
    /// The time of a recording or a test, which stops between inputs; `nil` for a running clock.
    var stoppedTime: Int? { get set }

    // MARK: The beginning and the end

    /// Loads a flow and renders it for the first time, or continues from a snapshot. Called once.
    func open(_ source: FlowSource, restoring snapshot: FlowSnapshot?) throws(FlowError)
    /// Renders a flow for the first time that was loaded with workers of its own; see
    /// ``LuaFlow/Options/report(to:checkingWorkersBy:)``.
    func open(_ flow: LuaFlow) throws(FlowError)
    func reload(_ policy: ReloadPolicy) throws(FlowError)
    /// Ends the tree and its workers without events.
    func abandon()

    // MARK: What is shown

    /// The shown step: 0 is the beginning, n the moment after the n-th input.
    var step: Int { get }
    /// The last step of the timeline.
    var stepCount: Int { get }
    /// The last good rendering; `null` after the end.
    var rendering: Value { get }
    /// The declared workers that have not ended, in the order of the tree.
    var runningWorkers: [WorkerRun] { get }
    /// The state of the node at a path, or of the root for `nil`; `nil` without a scripted node.
    func state(of path: NodePath?) -> Value?
    /// The plain value of a Lua expression that sees `rendering`, `props` and `state`.
    func value(of expression: String) throws(FlowError) -> Value
    /// Takes the outputs of the root since the last call, oldest first.
    func takeOutputs() -> [Value]

    // MARK: Inputs

    /// Replays an input with its original time and sender.
    func play(_ input: FlowInput) throws(FlowError)
    /// Plays an input as if it came from outside now.
    func play(_ input: FlowInput.Kind, by principal: String?) throws(FlowError)
    /// Gives the root new props as a step of its own, even if they are equal to the current ones.
    func step(props: Value, by principal: String?) throws(FlowError)

    // MARK: Other states

    func go(to step: Int) throws(FlowError)
    /// Goes to a step as a recorded session did, and continues from a state that other code led to.
    func go(to step: Int, from snapshot: FlowSnapshot) throws(FlowError)
    /// True if the shown nodes have the states of a snapshot.
    func shows(_ snapshot: FlowSnapshot) -> Bool
    /// Discards the steps after a move, if the recorded session had none; true if there were any.
    func branch(after move: FlowRecording.Move) throws(FlowError) -> Bool
    /// The state of the flow at the shown step; `nil` after the end.
    func checkpoint() -> FlowCheckpoint?
    /// Continues from a checkpoint, whose workers start anew.
    ///
    /// - Parameter last: The last step, to log the change as a move; `nil` to log nothing.
    func show(_ checkpoint: FlowCheckpoint, asMoveOf last: Int?) throws(FlowError)
    /// Replays an input after a step with a trace, which need not be one of the timeline.
    ///
    /// - Parameters:
    ///   - input: The input; `nil` for the beginning.
    ///   - isOfNow: Uses the current code, even for a step that earlier code played.
    func replay(
        _ input: FlowInput?, after step: Int, byCodeOfNow isOfNow: Bool, _ trace: FlowTrace
    ) throws(FlowError) -> Rehearsal.Played
    /// Replays steps of the timeline with a trace.
    ///
    /// - Parameter onStep: Called after each step, 0 is the beginning; `false` ends the replay.
    func replay(
        _ steps: ClosedRange<Int>, _ trace: FlowTrace, onStep: (Rehearsal.Played) -> Bool
    ) throws(FlowError)

    // MARK: What an interpreter reports that several flows share

    var sender: String? { get }
    func hear(_ action: AppliedAction)
    func hear(_ news: WorkerNews)
}
