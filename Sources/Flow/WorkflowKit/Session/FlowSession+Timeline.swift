public import PlainValue
public import WorkflowLua

extension FlowSession {
    /// The shown step: 0 is the beginning, n the moment after the n-th input.
    public var step: Int { player.step }

    /// The last step.
    public var stepCount: Int { player.timeline.count }

    /// The inputs so far. The n-th one leads to step n.
    public var inputs: [FlowInput] { Array(player.timeline.inputs) }

    /// True if the session shows an earlier step, so that workers are held.
    public var isInPast: Bool { player.isInPast }

    /// Goes one step back.
    ///
    /// ```swift
    /// try await session.send(["type": "add", "text": "milk"])
    /// try await session.undo()  // step 0 of 1
    /// ```
    ///
    /// - Throws: A `FlowError` at the beginning.
    public func undo() throws(FlowError) { try player.undo() }

    /// Goes one step forward again.
    ///
    /// - Throws: A `FlowError` at the end.
    public func redo() throws(FlowError) { try player.redo() }

    /// Shows another step of the timeline.
    ///
    /// Workers are held unless it is the last step, and continue when the session returns there. An
    /// action sent instead discards the later steps, and starts the workers that are then declared.
    ///
    /// ```swift
    /// try await session.go(to: 0)
    /// try await session.send("finish")  // discards the later steps: this is step 1 of 1
    /// ```
    ///
    /// - Throws: A `FlowError` for a step that does not exist; nothing changes then.
    public func go(to step: Int) throws(FlowError) { try player.go(to: step) }

    /// Continues from the shown step: discards the later steps, and starts the declared workers.
    /// Sending an action does the same.
    ///
    /// ```swift
    /// try await session.go(to: 3)
    /// try await session.branch()
    /// let last = await session.stepCount  // 3
    /// ```
    ///
    /// - Warning: The discarded steps are lost.
    /// - Throws: A `FlowError` at the last step.
    public func branch() throws(FlowError) { try player.branch() }

    /// Returns the inputs so far with their results; empty for a session without a timeline.
    ///
    /// The inputs are replayed in a copy, which changes nothing and emits no events.
    ///
    /// ```swift
    /// for (number, step) in try await session.steps().enumerated() {
    ///     print(number + 1, step.input.title, step.changed)  // 1 add ["rows", "title"]
    /// }
    /// ```
    ///
    /// - Important: The replay takes as long as the flow took for its inputs.
    /// - Throws: A `FlowError` if the session is closed or its beginning cannot be restored, and
    ///   one with the code `interrupted` after ``interrupt()``.
    public func steps() throws(FlowError) -> [FlowStep] { try player.steps() }

    /// Returns the rendering after a step, by the code that played it. The session does not move.
    ///
    /// ```swift
    /// let before = try await session.rendering(at: 0)
    /// let changes = await before.differences(to: session.rendering)
    /// ```
    ///
    /// - Throws: As ``steps()``, and a `FlowError` for a step that does not exist.
    public func rendering(at step: Int) throws(FlowError) -> Value {
        try player.rendering(at: step)
    }
}
