/// Observes each step of a running tree without changing it.
///
/// ```swift
/// struct ActionPrinter: WorkflowObserver {
///     func didReceiveAction<Action: WorkflowAction>(
///         _ action: Action, sequence: Int, node: NodeIdentity
///     ) {
///         print("\(node.path): \(action)")
///     }
/// }
/// ```
///
/// Observers are called on the isolation that owns the host, in the order of its options.
/// After a render and after an action the order is reversed, so that the first observer encloses
/// the others. Interceptors are called in between. Actions that observers send are queued until the
/// current step is complete. The default of every method does nothing. A host without observers
/// spends nothing on them.
public protocol WorkflowObserver {
    /// A node was created; called before its initial state is made.
    func nodeDidBegin(_ node: NodeIdentity)

    /// A node ended, after its descendants.
    func nodeDidEnd(_ node: NodeIdentity)

    /// A new node, which has not rendered, has its new or restored state.
    func didMakeInitialState<W: Workflow>(
        _ state: W.State, of workflow: W, node: NodeIdentity)

    /// A node received inputs that differ from its last ones; `state` is the state after that.
    func workflowDidChange<W: Workflow>(
        from old: W, to new: W, state: W.State, node: NodeIdentity)

    /// A node is about to render, for the reasons in `cause`.
    func willRender<W: Workflow>(
        _ workflow: W, state: W.State, cause: RenderCause, node: NodeIdentity)

    /// A node has rendered; the pass may still fail. `rendering` is as interceptors left it.
    func didRender<W: Workflow>(_ workflow: W, rendering: W.Rendering, node: NodeIdentity)

    /// A parent rendered, and this node reused its last rendering.
    func didSkipRender(node: NodeIdentity)

    /// An action from a sink or from a child's output reached its node and is about to be applied.
    ///
    /// - Parameter sequence: The number of the sent value that caused this action, counted from 1
    ///   in the order in which the host processes them. It is the same throughout a cascade.
    func didReceiveAction<Action: WorkflowAction>(
        _ action: Action, sequence: Int, node: NodeIdentity)

    /// An action was applied; `output` goes to the parent next. If the cascade fails further up,
    /// the action is rolled back and ``didReport(_:)`` reports the failure.
    func didApplyAction<Action: WorkflowAction>(
        _ action: Action, from before: Action.WorkflowType.State,
        to after: Action.WorkflowType.State, output: Action.WorkflowType.Output?,
        node: NodeIdentity)

    /// A node emitted an output, which is not mapped yet, through an action or through an output
    /// sink.
    func didEmitOutput<W: Workflow>(_ output: W.Output, of workflow: W, node: NodeIdentity)

    /// A worker started, emitted an output or ended; `node` is the worker's own.
    /// ``didEmitOutput(_:of:node:)`` has the value of an output.
    func didReceiveWorkerEvent(_ event: WorkerEvent<Void, any Error>, node: NodeIdentity)

    /// The host reported a failure, a dropped action or a misuse.
    func didReport(_ report: WorkflowReport)
}

extension WorkflowObserver {
    /// Does nothing.
    public func nodeDidBegin(_ node: NodeIdentity) {}

    /// Does nothing.
    public func nodeDidEnd(_ node: NodeIdentity) {}

    /// Does nothing.
    public func didMakeInitialState<W: Workflow>(
        _ state: W.State, of workflow: W, node: NodeIdentity
    ) {}

    /// Does nothing.
    public func workflowDidChange<W: Workflow>(
        from old: W, to new: W, state: W.State, node: NodeIdentity
    ) {}

    /// Does nothing.
    public func willRender<W: Workflow>(
        _ workflow: W, state: W.State, cause: RenderCause, node: NodeIdentity
    ) {}

    /// Does nothing.
    public func didRender<W: Workflow>(
        _ workflow: W, rendering: W.Rendering, node: NodeIdentity
    ) {}

    /// Does nothing.
    public func didSkipRender(node: NodeIdentity) {}

    /// Does nothing.
    public func didReceiveAction<Action: WorkflowAction>(
        _ action: Action, sequence: Int, node: NodeIdentity
    ) {}

    /// Does nothing.
    public func didApplyAction<Action: WorkflowAction>(
        _ action: Action, from before: Action.WorkflowType.State,
        to after: Action.WorkflowType.State, output: Action.WorkflowType.Output?,
        node: NodeIdentity
    ) {}

    /// Does nothing.
    public func didEmitOutput<W: Workflow>(
        _ output: W.Output, of workflow: W, node: NodeIdentity
    ) {}

    /// Does nothing.
    public func didReceiveWorkerEvent(
        _ event: WorkerEvent<Void, any Error>, node: NodeIdentity
    ) {}

    /// Does nothing.
    public func didReport(_ report: WorkflowReport) {}
}
