/// Wraps or replaces the steps of a running tree.
///
/// ```swift
/// struct RenderPrinter: WorkflowInterceptor {
///     func render<W: Workflow>(
///         _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity,
///         proceed: (W, W.State, RenderContext<W>) -> W.Rendering
///     ) -> W.Rendering {
///         print("renders \(node.path)")
///         return proceed(workflow, state, context)
///     }
/// }
/// ```
///
/// Each method is called instead of a step. It runs the step by calling `proceed`, with the given
/// values or others; without calling `proceed` it replaces the step. A render, a child or a side
/// effect that proceeds a second time is reported, and has the result of the first time. Several
/// interceptors nest, the first one outermost. The default of every method proceeds. Interceptors
/// are called on the isolation that owns the host.
///
/// - Important: Interceptors serve tests, tools and recording. They make every step of their host
///   slower.
public protocol WorkflowInterceptor {
    /// Makes the state that a new node, which has not rendered, starts with. `proceed` makes it for
    /// these or other inputs.
    func makeInitialState<W: Workflow>(
        of workflow: W, node: NodeIdentity, proceed: (W) -> W.State
    ) -> W.State

    /// Adapts a node's state in place to inputs that differ from those of the last render.
    ///
    /// - Parameters:
    ///   - old: The inputs of the last render.
    ///   - new: The inputs that it has from now on.
    ///   - state: The node's state, to be changed in place.
    ///   - node: The node, which renders next.
    ///   - proceed: Adapts the state.
    /// - Throws: Any error makes the update fail: the node keeps its inputs and its state.
    func workflowDidChange<W: Workflow>(
        from old: W, to new: W, state: inout W.State, node: NodeIdentity,
        proceed: (W, W, inout W.State) throws -> Void) throws

    /// Renders a node, for its parent. `proceed` renders these or other values.
    func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity,
        proceed: (W, W.State, RenderContext<W>) -> W.Rendering
    ) -> W.Rendering

    /// Renders a child for its parent. Without `proceed` the child gets no node.
    ///
    /// - Parameters:
    ///   - emit: Delivers an output to a living parent as if from the child, after the pass.
    ///   - proceed: Makes or updates the child's node and renders it if needed.
    /// - Returns: The rendering that the parent gets.
    func renderChild<Child: Workflow>(
        _ child: Child, key: String, parent: NodeIdentity,
        emit: @escaping (Child.Output) -> SendOutcome, proceed: (Child) -> Child.Rendering
    ) -> Child.Rendering

    /// Applies an action, from a sink or a child's output, to a node's state. `proceed` applies
    /// this or another one.
    ///
    /// - Returns: The output that the node emits; `nil` for none.
    /// - Throws: Any error makes the whole cascade fail, which is rolled back.
    func apply<Action: WorkflowAction>(
        _ action: Action, toState state: inout Action.WorkflowType.State,
        context: ApplyContext<Action.WorkflowType>, node: NodeIdentity,
        proceed: (Action, inout Action.WorkflowType.State) throws -> Action.WorkflowType.Output?
    ) throws -> Action.WorkflowType.Output?

    /// Declares a side effect in a render; without `proceed` it is not declared.
    func runSideEffect(key: AnyHashable, node: NodeIdentity, proceed: () -> Void)
}

/// An interceptor that may stand in for children by their erased types.
package protocol ErasedChildInterceptor: WorkflowInterceptor {
    /// Renders a child that a parent renders as an ``AnyWorkflow``. `proceed` renders the wrapped
    /// child, and calls ``WorkflowInterceptor/renderChild(_:key:parent:emit:proceed:)`` for it.
    func renderErasedChild<Rendering, Output>(
        _ child: AnyWorkflow<Rendering, Output>, key: String, parent: NodeIdentity,
        emit: @escaping (Output) -> SendOutcome, proceed: () -> Rendering
    ) -> Rendering
}

extension WorkflowInterceptor {
    /// Proceeds.
    public func makeInitialState<W: Workflow>(
        of workflow: W, node: NodeIdentity, proceed: (W) -> W.State
    ) -> W.State {
        proceed(workflow)
    }

    /// Proceeds.
    public func workflowDidChange<W: Workflow>(
        from old: W, to new: W, state: inout W.State, node: NodeIdentity,
        proceed: (W, W, inout W.State) throws -> Void
    ) throws {
        try proceed(old, new, &state)
    }

    /// Proceeds.
    public func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity,
        proceed: (W, W.State, RenderContext<W>) -> W.Rendering
    ) -> W.Rendering {
        proceed(workflow, state, context)
    }

    /// Proceeds.
    public func renderChild<Child: Workflow>(
        _ child: Child, key: String, parent: NodeIdentity,
        emit: @escaping (Child.Output) -> SendOutcome, proceed: (Child) -> Child.Rendering
    ) -> Child.Rendering {
        proceed(child)
    }

    /// Proceeds.
    public func apply<Action: WorkflowAction>(
        _ action: Action, toState state: inout Action.WorkflowType.State,
        context: ApplyContext<Action.WorkflowType>, node: NodeIdentity,
        proceed: (Action, inout Action.WorkflowType.State) throws -> Action.WorkflowType.Output?
    ) throws -> Action.WorkflowType.Output? {
        try proceed(action, &state)
    }

    /// Proceeds.
    public func runSideEffect(key: AnyHashable, node: NodeIdentity, proceed: () -> Void) {
        proceed()
    }
}
