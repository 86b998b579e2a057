/// A sink whose values are changes of a node's state; made by
/// ``RenderContext/makeStateMutationSink()``.
public struct StateMutationSink<WorkflowType: Workflow>: Sendable, Equatable {
    private let sink: Sink<StateUpdate<WorkflowType>>

    init(sink: Sink<StateUpdate<WorkflowType>>) { self.sink = sink }

    /// Changes the state with `update`, which runs once on the host's isolation; leave `isolation`
    /// to its default.
    ///
    /// ```swift
    /// changes.send { $0.results.removeAll() }
    /// ```
    @discardableResult
    public func send(
        isolation: isolated (any Actor)? = #isolation,
        _ update: @escaping @Sendable (inout WorkflowType.State) -> Void
    ) -> SendOutcome {
        sink.send(StateUpdate(body: update), isolation: isolation)
    }

    /// Sets the property at `keyPath` to `value`; leave `isolation` to its default.
    ///
    /// ```swift
    /// changes.send(\.text, value: "ab")
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The property of the state.
    ///   - value: Its new value.
    ///   - isolation: The isolation of the caller; leave it to its default.
    @discardableResult
    public func send<Value: Sendable>(
        _ keyPath: any WritableKeyPath<WorkflowType.State, Value> & Sendable, value: Value,
        isolation: isolated (any Actor)? = #isolation
    ) -> SendOutcome {
        send(isolation: isolation) { $0[keyPath: keyPath] = value }
    }
}

@usableFromInline
struct StateUpdate<WorkflowType: Workflow>: WorkflowAction {
    let body: @Sendable (inout WorkflowType.State) -> Void

    @usableFromInline
    func apply(
        toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
    ) -> WorkflowType.Output? {
        body(&state)
        return nil
    }
}
