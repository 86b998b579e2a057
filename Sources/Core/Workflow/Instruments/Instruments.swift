/// Calls the observers and interceptors of a host in each step.
final class Instruments {
    let observers: [any WorkflowObserver]
    let interceptors: [any WorkflowInterceptor]
    var interceptorOfErasedChildren: (any ErasedChildInterceptor)? {
        interceptors.lazy.compactMap { $0 as? any ErasedChildInterceptor }.first
    }
    let isStrict: Bool

    init?(_ options: HostOptions) {
        observers = options.observers
        interceptors = options.interceptors
        isStrict = options.isStrict
        if observers.isEmpty, interceptors.isEmpty, !isStrict { return nil }
    }

    func report(_ report: WorkflowReport) {
        for observer in observers { observer.didReport(report) }
    }

    func reportEnd(of node: AnyNode) {
        guard !observers.isEmpty else { return }
        let identity = node.identity
        for observer in observers { observer.nodeDidEnd(identity) }
    }

    func makeInitialState<W: Workflow>(
        of workflow: W, node: NodeIdentity, make: (W) -> W.State
    ) -> W.State {
        for observer in observers { observer.nodeDidBegin(node) }
        let state = makeInitialState(
            of: workflow, node: node, through: interceptors[...], make: make)
        for observer in observers {
            observer.didMakeInitialState(state, of: workflow, node: node)
        }
        return state
    }

    private func makeInitialState<W: Workflow>(
        of workflow: W, node: NodeIdentity,
        through rest: ArraySlice<any WorkflowInterceptor>, make: (W) -> W.State
    ) -> W.State {
        guard let next = rest.first else { return make(workflow) }
        return next.makeInitialState(of: workflow, node: node) {
            makeInitialState(of: $0, node: node, through: rest.dropFirst(), make: make)
        }
    }

    func change<W: Workflow>(
        from old: W, to new: W, state: inout W.State, node: NodeIdentity
    ) throws {
        try change(from: old, to: new, state: &state, node: node, through: interceptors[...])
        for observer in observers {
            observer.workflowDidChange(from: old, to: new, state: state, node: node)
        }
    }

    private func change<W: Workflow>(
        from old: W, to new: W, state: inout W.State, node: NodeIdentity,
        through rest: ArraySlice<any WorkflowInterceptor>
    ) throws {
        guard let next = rest.first else {
            return try new.workflowDidChange(from: old, state: &state)
        }
        try next.workflowDidChange(from: old, to: new, state: &state, node: node) {
            try change(from: $0, to: $1, state: &$2, node: node, through: rest.dropFirst())
        }
    }

    func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity
    ) -> W.Rendering {
        var first: W.Rendering?
        return render(
            workflow, state: state, context: context, node: node, through: interceptors[...]
        ) { workflow, state, context in
            if let first {
                context.node.tree.report(.proceededTwice(node.path, step: "render"))
                return first
            }
            context.node.recordRender()
            let rendering = workflow.render(state: state, context: context)
            first = rendering
            return rendering
        }
    }

    private func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity,
        through rest: ArraySlice<any WorkflowInterceptor>,
        render last: (W, W.State, RenderContext<W>) -> W.Rendering
    ) -> W.Rendering {
        guard let next = rest.first else { return last(workflow, state, context) }
        return next.render(workflow, state: state, context: context, node: node) {
            render(
                $0, state: $1, context: $2, node: node, through: rest.dropFirst(), render: last)
        }
    }

    func renderChild<Child: Workflow>(
        _ child: Child, key: String, parent: NodeIdentity,
        emit: @escaping (Child.Output) -> SendOutcome,
        through some: ArraySlice<any WorkflowInterceptor>? = nil,
        render: (Child) -> Child.Rendering
    ) -> Child.Rendering {
        let rest = some ?? interceptors[...]
        guard let next = rest.first else { return render(child) }
        return next.renderChild(child, key: key, parent: parent, emit: emit) {
            renderChild(
                $0, key: key, parent: parent, emit: emit, through: rest.dropFirst(), render: render)
        }
    }

    func apply<Action: WorkflowAction>(
        _ action: Action, toState state: inout Action.WorkflowType.State,
        context: ApplyContext<Action.WorkflowType>, sequence: Int, node: NodeIdentity
    ) throws -> Action.WorkflowType.Output? {
        for observer in observers {
            observer.didReceiveAction(action, sequence: sequence, node: node)
        }
        let before = state
        let output = try apply(
            action, toState: &state, context: context, node: node,
            through: interceptors[...])
        for observer in observers.reversed() {
            observer.didApplyAction(
                action, from: before, to: state, output: output, node: node)
        }
        return output
    }

    private func apply<Action: WorkflowAction>(
        _ action: Action, toState state: inout Action.WorkflowType.State,
        context: ApplyContext<Action.WorkflowType>, node: NodeIdentity,
        through rest: ArraySlice<any WorkflowInterceptor>
    ) throws -> Action.WorkflowType.Output? {
        guard let next = rest.first else {
            return try action.apply(toState: &state, context: context)
        }
        return try next.apply(action, toState: &state, context: context, node: node) {
            try apply(
                $0, toState: &$1, context: context, node: node, through: rest.dropFirst())
        }
    }

    func runSideEffect(
        key: AnyHashable, node: NodeIdentity,
        through some: ArraySlice<any WorkflowInterceptor>? = nil, declare: () -> Void
    ) {
        let rest = some ?? interceptors[...]
        guard let next = rest.first else { return declare() }
        next.runSideEffect(key: key, node: node) {
            runSideEffect(key: key, node: node, through: rest.dropFirst(), declare: declare)
        }
    }
}
