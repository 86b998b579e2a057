/// Sees what happens in a running tree, step by step, without taking part in it.
///
/// Observers are called on the isolation that owns the host, in the order in which its configuration lists them;
/// in the opposite order after a render and after an action, so that the first one encloses the others. Interceptors
/// are called in between. What observers send to sinks is queued until what is under way is complete.
/// Every method has a default that does nothing.
/// A host without observers spends nothing on them.
public protocol WorkflowObserver {
    /// A node was made; called before its initial state is.
    func nodeDidBegin(_ node: NodeIdentity)

    /// A node ended, after those below it.
    func nodeDidEnd(_ node: NodeIdentity)

    /// A new node has its initial state.
    func didMakeInitialState<W: Workflow>(
        _ state: W.State, of workflow: W, node: NodeIdentity)

    /// A node took inputs that differ from its last ones; `state` is the state after that.
    func workflowDidChange<W: Workflow>(
        from old: W, to new: W, state: W.State, node: NodeIdentity)

    /// A node is about to render.
    func willRender<W: Workflow>(
        _ workflow: W, state: W.State, cause: RenderCause, node: NodeIdentity)

    /// A node has rendered; the pass may still fail.
    func didRender<W: Workflow>(_ workflow: W, rendering: W.Rendering, node: NodeIdentity)

    /// A parent rendered, and the node under it gave its last rendering again.
    func didSkipRender(node: NodeIdentity)

    /// An action reached its node and is about to be applied, be it from a sink or made of a child's output.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - sequence: The number of the sent value that this is or comes of, counted from 1 in the order in which the host
    ///     takes them; the same all the way up a cascade.
    ///   - node: The node.
    func didReceiveAction<Action: WorkflowAction>(
        _ action: Action, sequence: Int, node: NodeIdentity)

    /// An action was applied; `output` goes to the parent next. If the cascade fails further up, this is
    /// undone and ``didReport(_:)`` tells of the failure.
    func didApplyAction<Action: WorkflowAction>(
        _ action: Action, from before: Action.WorkflowType.State,
        to after: Action.WorkflowType.State, output: Action.WorkflowType.Output?,
        node: NodeIdentity)

    /// A node emitted an output, be it through an action or through an output sink.
    func didEmitOutput<W: Workflow>(_ output: W.Output, of workflow: W, node: NodeIdentity)

    /// Something happened to a worker; `node` is the worker's own.
    ///
    /// The value of an output is told by ``didEmitOutput(_:of:node:)``.
    func didReceiveWorkerEvent(_ event: WorkerEvent<Void, any Error>, node: NodeIdentity)

    /// Something failed, was dropped or misused.
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
