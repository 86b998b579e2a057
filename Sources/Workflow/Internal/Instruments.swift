/// The observers and interceptors of a host, and what each step looks like through them.
final class Instruments {
    let observers: [any WorkflowObserver]
    let interceptors: [any WorkflowInterceptor]
    /// Whether each node renders twice, and differences are reported.
    let isStrict: Bool

    /// `nil` if the configuration asks for nothing that looks at steps.
    init?(_ configuration: HostConfiguration) {
        observers = configuration.observers
        interceptors = configuration.interceptors
        isStrict = configuration.isStrict
        if observers.isEmpty, interceptors.isEmpty, !isStrict { return nil }
    }

    func note(_ report: WorkflowReport) {
        for observer in observers { observer.didReport(report) }
    }

    func noteEnd(of node: AnyNode) {
        guard !observers.isEmpty else { return }
        let session = node.session
        for observer in observers { observer.sessionDidEnd(session) }
    }

    func makeInitialState<W: Workflow>(
        of workflow: W, session: WorkflowSession, make: (W) -> W.State
    )
        -> W.State
    {
        for observer in observers { observer.sessionDidBegin(session) }
        let state = makeInitialState(
            of: workflow, session: session, through: interceptors[...], make: make)
        for observer in observers {
            observer.didMakeInitialState(state, of: workflow, session: session)
        }
        return state
    }

    private func makeInitialState<W: Workflow>(
        of workflow: W, session: WorkflowSession,
        through rest: ArraySlice<any WorkflowInterceptor>, make: (W) -> W.State
    ) -> W.State {
        guard let next = rest.first else { return make(workflow) }
        return next.makeInitialState(of: workflow, session: session) {
            makeInitialState(of: $0, session: session, through: rest.dropFirst(), make: make)
        }
    }

    func change<W: Workflow>(
        from old: W, to new: W, state: inout W.State, session: WorkflowSession
    ) throws {
        try change(from: old, to: new, state: &state, session: session, through: interceptors[...])
        for observer in observers {
            observer.workflowDidChange(from: old, to: new, state: state, session: session)
        }
    }

    private func change<W: Workflow>(
        from old: W, to new: W, state: inout W.State, session: WorkflowSession,
        through rest: ArraySlice<any WorkflowInterceptor>
    ) throws {
        guard let next = rest.first else {
            return try new.workflowDidChange(from: old, state: &state)
        }
        try next.workflowDidChange(from: old, to: new, state: &state, session: session) {
            try change(from: $0, to: $1, state: &$2, session: session, through: rest.dropFirst())
        }
    }

    func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, session: WorkflowSession
    ) -> W.Rendering {
        render(
            workflow, state: state, context: context, session: session, through: interceptors[...])
    }

    private func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, session: WorkflowSession,
        through rest: ArraySlice<any WorkflowInterceptor>
    ) -> W.Rendering {
        guard let next = rest.first else { return workflow.render(state: state, context: context) }
        return next.render(workflow, state: state, context: context, session: session) {
            render($0, state: $1, context: $2, session: session, through: rest.dropFirst())
        }
    }

    func renderChild<Child: Workflow>(
        _ child: Child, key: String, parent: WorkflowSession,
        emit: @escaping (Child.Output) -> SendOutcome, render: (Child) -> Child.Rendering
    ) -> Child.Rendering {
        renderChild(
            child, key: key, parent: parent, emit: emit, through: interceptors[...], render: render)
    }

    private func renderChild<Child: Workflow>(
        _ child: Child, key: String, parent: WorkflowSession,
        emit: @escaping (Child.Output) -> SendOutcome,
        through rest: ArraySlice<any WorkflowInterceptor>, render: (Child) -> Child.Rendering
    ) -> Child.Rendering {
        guard let next = rest.first else { return render(child) }
        return next.renderChild(child, key: key, parent: parent, emit: emit) {
            renderChild(
                $0, key: key, parent: parent, emit: emit, through: rest.dropFirst(), render: render)
        }
    }

    func apply<Action: WorkflowAction>(
        _ action: Action, toState state: inout Action.WorkflowType.State,
        context: ApplyContext<Action.WorkflowType>, sequence: Int, session: WorkflowSession
    ) throws -> Action.WorkflowType.Output? {
        for observer in observers {
            observer.didReceiveAction(action, sequence: sequence, session: session)
        }
        let before = state
        let output = try apply(
            action, toState: &state, context: context, session: session,
            through: interceptors[...])
        for observer in observers {
            observer.didApplyAction(
                action, from: before, to: state, output: output, session: session)
        }
        return output
    }

    private func apply<Action: WorkflowAction>(
        _ action: Action, toState state: inout Action.WorkflowType.State,
        context: ApplyContext<Action.WorkflowType>, session: WorkflowSession,
        through rest: ArraySlice<any WorkflowInterceptor>
    ) throws -> Action.WorkflowType.Output? {
        guard let next = rest.first else {
            return try action.apply(toState: &state, context: context)
        }
        return try next.apply(action, toState: &state, context: context, session: session) {
            try apply(
                $0, toState: &$1, context: context, session: session, through: rest.dropFirst())
        }
    }

    func runSideEffect(key: AnyHashable, session: WorkflowSession, declare: () -> Void) {
        runSideEffect(key: key, session: session, through: interceptors[...], declare: declare)
    }

    private func runSideEffect(
        key: AnyHashable, session: WorkflowSession,
        through rest: ArraySlice<any WorkflowInterceptor>, declare: () -> Void
    ) {
        guard let next = rest.first else { return declare() }
        next.runSideEffect(key: key, session: session) {
            runSideEffect(key: key, session: session, through: rest.dropFirst(), declare: declare)
        }
    }
}
