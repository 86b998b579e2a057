public import PlainValue
public import WorkflowLua

extension FlowSession {
    /// The step that is shown: 0 is the beginning, n the moment after the n-th input.
    public var step: Int { player.step }

    /// The last step.
    public var stepCount: Int { player.timeline.count }

    /// The inputs so far; the n-th one leads to step n.
    public var inputs: [FlowInput] { player.timeline.inputs }

    /// Whether an earlier step is shown, so that workers are held.
    public var isInPast: Bool { player.isInPast }

    /// Goes one step back.
    ///
    /// - Throws: A `FlowError` at the beginning.
    public func undo() throws(FlowError) { try player.undo() }

    /// Goes one step forward again.
    ///
    /// - Throws: A `FlowError` at the end.
    public func redo() throws(FlowError) { try player.redo() }

    /// Shows another step of the timeline.
    ///
    /// While it is not the last one workers are held. Going back to the last step lets them go on; an action that is
    /// sent instead gives up the later steps, and workers that are declared then start.
    ///
    /// - Throws: A `FlowError` for a step that there is not; nothing is changed then.
    public func go(to step: Int) throws(FlowError) { try player.go(to: step) }

    /// Goes on from the step that is shown: the later ones are given up, and workers that are declared start.
    ///
    /// An action that is sent does the same by itself.
    ///
    /// - Throws: A `FlowError` at the last step.
    public func branch() throws(FlowError) { try player.branch() }

    /// The inputs so far and what came of each, by the code as it is now; none for a session without a timeline.
    ///
    /// The inputs are played again aside, which takes as long as the flow took for them. Nothing is changed by it, and
    /// nobody is told of it.
    ///
    /// - Throws: A `FlowError` if the session is closed or its beginning cannot be made again, and one with the code
    ///   `interrupted` after ``interrupt()``.
    public func steps() throws(FlowError) -> [FlowStep] { try player.steps() }

    /// The rendering after a step, by the code as it is now; the session stays where it is.
    ///
    /// - Throws: As ``steps()``, and a `FlowError` for a step that there is not.
    public func rendering(at step: Int) throws(FlowError) -> Value {
        try player.rendering(at: step)
    }
}
