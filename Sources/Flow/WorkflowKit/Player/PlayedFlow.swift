package import PlainValue
package import Workflow
package import WorkflowLua

/// A flow that a tool plays by itself, without a session: the debugger, the explorer, and tests in
/// Lua.
///
/// Its workers do nothing. Each call returns when all that it caused at once is done, and throws
/// what made it fail. It belongs to the isolation that makes it.
package protocol PlayedFlow: AnyObject {
    /// The flow; `nil` before it is loaded and after the end.
    var flow: LuaFlow? { get }
    /// The time that stands still between inputs; `nil` where time passes by itself.
    var stoppedTime: Int? { get set }

    // MARK: The beginning and the end

    /// Loads a flow and renders it for the first time, or goes on from a snapshot; called once.
    func open(_ source: FlowSource, restoring snapshot: FlowSnapshot?) throws(FlowError)
    /// Renders a flow for the first time that was loaded by somebody else, with its own workers;
    /// see ``FlowConfiguration/report(to:checkingWorkersBy:)``.
    func open(_ flow: LuaFlow) throws(FlowError)
    /// Loads the flow's files again.
    func reload(_ policy: ReloadPolicy) throws(FlowError)
    /// Ends the tree and its workers, of which nobody is told.
    func abandon()

    // MARK: What is shown

    /// The step that is shown: 0 is the beginning, n the moment after the n-th input.
    var step: Int { get }
    /// The last step of the timeline.
    var stepCount: Int { get }
    /// The last good rendering; `null` after the end.
    var rendering: Value { get }
    /// The workers that are declared now and have not ended, in the order of the tree.
    var runningWorkers: [WorkerRun] { get }
    /// The state of the node at a path, `nil` for that of the root; `nil` if there is no such
    /// scripted node.
    func state(of path: NodePath?) -> Value?
    /// The plain value of a Lua expression, which sees `rendering`, `props` and `state`.
    func value(of expression: String) throws(FlowError) -> Value
    /// The outputs of the root since this was last called, oldest first.
    func takeOutputs() -> [Value]

    // MARK: Inputs

    /// Plays an input again as it came: at its time, and of whom it was.
    func play(_ input: FlowInput) throws(FlowError)
    /// Plays an input as if it had come from outside now.
    ///
    /// - Parameter principal: The name of whoever it is of; `nil` if it is not known.
    func play(_ input: FlowInput.Kind, by principal: String?) throws(FlowError)
    /// Gives the root new props as a step of their own, also if they are those that it has.
    func step(props: Value, by principal: String?) throws(FlowError)

    // MARK: Other states

    /// Shows another step of the timeline.
    func go(to step: Int) throws(FlowError)
    /// Goes to a step as a recorded session did, which went on there from a state that other code
    /// had led to.
    func go(to step: Int, from snapshot: FlowSnapshot) throws(FlowError)
    /// Whether the nodes that are shown have the states of a snapshot.
    func shows(_ snapshot: FlowSnapshot) -> Bool
    /// Gives up the steps after a move of a recorded session that had none any more.
    ///
    /// - Returns: Whether there were any.
    func branch(after move: FlowRecording.Move) throws(FlowError) -> Bool
    /// The state of the flow at the step that is shown; `nil` after the end.
    func checkpoint() -> FlowCheckpoint?
    /// Goes on from a checkpoint; its workers start anew.
    ///
    /// - Parameter last: The last step, if the log is told of it as of a move; `nil` if it is not.
    func show(_ checkpoint: FlowCheckpoint, asMoveOf last: Int?) throws(FlowError)
    /// Replays an input after a step with a trace, which need not be one of the timeline.
    ///
    /// - Parameters:
    ///   - input: The input; `nil` for the beginning.
    ///   - isOfNow: Whether the code of now plays it in any case.
    func replay(
        _ input: FlowInput?, after step: Int, byCodeOfNow isOfNow: Bool, _ trace: FlowTrace
    ) throws(FlowError) -> Rehearsal.Played
    /// Replays steps of the timeline with a trace.
    ///
    /// - Parameters:
    ///   - steps: Their numbers; 0 is the beginning.
    ///   - onStep: Called after each of them; `false` ends it.
    func replay(
        _ steps: ClosedRange<Int>, _ trace: FlowTrace, onStep: (Rehearsal.Played) -> Bool
    ) throws(FlowError)

    // MARK: What an interpreter reports that several flows share

    /// The name of the sender of what is played; `nil` if it is not known.
    var sender: String? { get }
    /// Hears that an action begins to be applied.
    func hear(_ action: AppliedAction)
    /// Hears the news of a worker.
    func hear(_ news: WorkerNews)
}
