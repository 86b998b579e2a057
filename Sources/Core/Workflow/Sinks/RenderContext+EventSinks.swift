extension RenderContext {
    /// Makes a sink for events of any type, which handles each with `onEvent` like an action.
    ///
    /// ```swift
    /// let set = context.makeSink(of: String.self) { text, state in
    ///     state.text = text
    ///     return nil
    /// }
    /// ```
    ///
    /// - Note: Each call makes a sink with a new closure. Unlike those of ``makeSink(of:)``, two
    ///   such sinks are equal only if one is a copy of the other.
    /// - Parameter onEvent: Changes the state and returns the output, on the host's isolation.
    public func makeSink<Event, Failure: Error>(
        of type: Event.Type,
        onEvent:
            @escaping (Event, inout WorkflowType.State) throws(Failure) ->
            WorkflowType.Output?
    ) -> Sink<Event> {
        let onEvent = OwnedClosure(body: onEvent)
        return makeSink(of: EventAction<WorkflowType, Failure>.self).contraMap { event in
            // Sound because the event was sent: nobody else has it, and the action is applied once.
            nonisolated(unsafe) let event = event
            return EventAction { state throws(Failure) in try onEvent.body(event, &state) }
        }
    }

    /// Makes a sink whose values are changes of this node's state.
    ///
    /// ```swift
    /// let changes = context.makeStateMutationSink()  // changes.send(\.text, value: "ab")
    /// ```
    public func makeStateMutationSink() -> StateMutationSink<WorkflowType> {
        StateMutationSink(sink: makeSink(of: StateUpdate<WorkflowType>.self))
    }

    /// Makes a closure that sends `action` each time it is called.
    ///
    /// ```swift
    /// let clear = context.makeEventHandler(action: Action.typed(""))
    /// ```
    ///
    /// - Important: Not `Sendable`: for the host's owner, where the action is applied before the
    ///   call returns.
    public func makeEventHandler<Action: WorkflowAction>(action: Action) -> () -> Void
    where Action.WorkflowType == WorkflowType {
        let target = makeTarget(of: Action.self)
        return {
            // Sound because the closure, and so the action, stays with the owner.
            nonisolated(unsafe) let action = action
            _ = target.send(action, from: nil)
        }
    }

    /// Makes a closure that sends the action that `action` makes from each event.
    ///
    /// ```swift
    /// let onTyped = context.makeEventHandler { Action.typed($0) }  // (String) -> Void
    /// ```
    ///
    /// - Important: Not `Sendable`: for the host's owner, where the action is applied before the
    ///   call returns.
    public func makeEventHandler<Event, Action: WorkflowAction>(
        action: @escaping (Event) -> Action
    ) -> (Event) -> Void where Action.WorkflowType == WorkflowType {
        let target = makeTarget(of: Action.self)
        return { event in
            // Sound because the closure, and so the event, stays with the owner.
            nonisolated(unsafe) let action = action(event)
            _ = target.send(action, from: nil)
        }
    }
}

/// A closure that crosses isolations in a sink; `@unchecked Sendable`, as only the owner calls it.
private struct OwnedClosure<Body>: @unchecked Sendable {
    let body: Body
}

private struct EventAction<WorkflowType: Workflow, Failure: Error>: WorkflowAction {
    let body: (inout WorkflowType.State) throws(Failure) -> WorkflowType.Output?

    func apply(
        toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
    ) throws(Failure) -> WorkflowType.Output? { try body(&state) }
}
