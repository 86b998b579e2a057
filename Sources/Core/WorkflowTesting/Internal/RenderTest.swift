import Workflow

/// One render under test: stands in for the declared children, and notes their outputs and effects.
final class RenderTest<W: Workflow>: ErasedChildInterceptor, WorkflowObserver {
    private let initialState: W.State
    private var expectations: [any RenderExpectation]
    private var sideEffects: [ExpectedSideEffect<W>]
    private let place: TestLocation
    private var rendering: W.Rendering?
    private var declared: Set<[AnyHashable]> = []
    private var emissions: [(WorkflowHost<W>) -> Void] = []

    let steps = TestSteps()
    private(set) var state: W.State
    private(set) var actions: [any WorkflowAction] = []
    var outputs: [W.Output] = []
    var reports: [String] = []

    init(
        workflow: W, state: W.State, expectations: [any RenderExpectation],
        sideEffects: [ExpectedSideEffect<W>], place: TestLocation
    ) {
        initialState = state
        self.state = state
        self.expectations = expectations
        self.sideEffects = sideEffects
        self.place = place
        steps.record("rendered \(brief(workflow)) with \(brief(state))")
    }

    func makeInitialState<V: Workflow>(
        of workflow: V, node: NodeIdentity, proceed: (V) -> V.State
    ) -> V.State {
        guard node.parentID == nil, let state = initialState as? V.State else {
            return proceed(workflow)
        }
        return state
    }

    func render<V: Workflow>(
        _ workflow: V, state: V.State, context: RenderContext<V>, node: NodeIdentity,
        proceed: (V, V.State, RenderContext<V>) -> V.Rendering
    ) -> V.Rendering {
        guard node.parentID == nil else { return proceed(workflow, state, context) }
        // Only the first render is under test. Later ones, which its outputs cause, show the same.
        if let rendering = rendering as? V.Rendering { return rendering }
        let new = proceed(workflow, state, context)
        rendering = new as? W.Rendering
        return new
    }

    func renderChild<Child: Workflow>(
        _ child: Child, key: String, parent: NodeIdentity,
        emit: @escaping (Child.Output) -> SendOutcome, proceed: (Child) -> Child.Rendering
    ) -> Child.Rendering {
        guard parent.parentID == nil else { return proceed(child) }
        declare(child, key)
        if let served = serve(child, key: key, emit: emit) { return served.rendering }
        steps.fail(
            """
            The render declares \(named(child.nodeName, key)), which was not expected:
              \(brief(child))
            """, at: place)
        // An unexpected child has no rendering but its own, so it renders. A worker must not run.
        return (() as? Child.Rendering) ?? proceed(child)
    }

    func renderErasedChild<Rendering, Output>(
        _ child: AnyWorkflow<Rendering, Output>, key: String, parent: NodeIdentity,
        emit: @escaping (Output) -> SendOutcome, proceed: () -> Rendering
    ) -> Rendering {
        // Without an expectation of the erased type, the one of the wrapped child counts.
        guard parent.parentID == nil, let served = serve(child, key: key, emit: emit) else {
            return proceed()
        }
        if let base = child.base as? any Workflow { declare(base, key) }
        return served.rendering
    }

    private func declare<Child: Workflow>(_ child: Child, _ key: String) {
        if declared.insert([ObjectIdentifier(Child.self), child.nodeType, key]).inserted { return }
        steps.fail(
            """
            The render declares \(named(child.nodeName, key)) twice; \
            give each child of one type a key of its own.
            """, at: place)
    }

    private func serve<Child: Workflow>(
        _ child: Child, key: String, emit: @escaping (Child.Output) -> SendOutcome
    ) -> ServedChild<Child.Rendering>? {
        for index in expectations.indices {
            guard let served = expectations[index].serve(child, key: key, emit: emit) else {
                continue
            }
            expectations.remove(at: index)
            if let emit = served.emit { emissions.append { _ in emit() } }
            return served
        }
        return nil
    }

    func runSideEffect(key: AnyHashable, node: NodeIdentity, proceed: () -> Void) {
        guard node.parentID == nil else { return }
        guard let index = sideEffects.firstIndex(where: { $0.key == key }) else {
            return steps.fail(
                "The render declares the side effect \(brief(key.base)), which was not expected.",
                at: place)
        }
        if let send = sideEffects.remove(at: index).send { emissions.append(send) }
    }

    func failLeftOver() {
        for left in expectations {
            steps.fail("The render does not declare \(left.description).", at: left.place)
        }
        for left in sideEffects {
            steps.fail(
                "The render does not declare the side effect \(brief(left.key.base)).",
                at: left.place)
        }
    }

    /// Emits the outputs of the expectations, in the order of declaration.
    func emitOutputs(_ host: WorkflowHost<W>) {
        let ready = emissions
        emissions = []
        for emit in ready { emit(host) }
    }

    func compareReports(with expected: [String]) {
        steps.compare("The reports differ", expected, reports, at: place)
    }

    func didApplyAction<Action: WorkflowAction>(
        _ action: Action, from before: Action.WorkflowType.State,
        to after: Action.WorkflowType.State, output: Action.WorkflowType.Output?,
        node: NodeIdentity
    ) {
        guard node.parentID == nil, let after = after as? W.State else { return }
        steps.record("applied \(brief(action))")
        actions.append(action)
        state = after
    }
}
