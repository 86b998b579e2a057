import Testing
import Workflow

private final class Meddler: WorkflowInterceptor {
    let name: String
    let journal: Journal
    var doublesActions = false
    var hidesChildren = false
    var emit: ((String) -> SendOutcome)?

    init(_ name: String, _ journal: Journal) {
        self.name = name
        self.journal = journal
    }

    private func wrap<T>(_ step: String, _ body: () throws -> T) rethrows -> T {
        journal.note("\(name) \(step) {")
        defer { journal.note("\(name) }") }
        return try body()
    }

    func makeInitialState<W: Workflow>(
        of workflow: W, node: NodeIdentity, proceed: (W) -> W.State
    ) -> W.State {
        wrap("initial \(node)") { proceed(workflow) }
    }

    func workflowDidChange<W: Workflow>(
        from old: W, to new: W, state: inout W.State, node: NodeIdentity,
        proceed: (W, W, inout W.State) throws -> Void
    ) throws { try wrap("change \(node)") { try proceed(old, new, &state) } }

    func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity,
        proceed: (W, W.State, RenderContext<W>) -> W.Rendering
    ) -> W.Rendering { wrap("render \(node)") { proceed(workflow, state, context) } }

    func renderChild<Child: Workflow>(
        _ child: Child, key: String, parent: NodeIdentity,
        emit: @escaping (Child.Output) -> SendOutcome, proceed: (Child) -> Child.Rendering
    ) -> Child.Rendering {
        wrap("child \(key) of \(parent)") {
            if hidesChildren, let stand = 42 as? Child.Rendering {
                self.emit = { text in (text as? Child.Output).map(emit) ?? .applied }
                return stand
            }
            return proceed(child)
        }
    }

    func apply<Action: WorkflowAction>(
        _ action: Action, toState state: inout Action.WorkflowType.State,
        context: ApplyContext<Action.WorkflowType>, node: NodeIdentity,
        proceed: (Action, inout Action.WorkflowType.State) throws -> Action.WorkflowType.Output?
    ) throws -> Action.WorkflowType.Output? {
        try wrap("apply \(action)") {
            if doublesActions { _ = try proceed(action, &state) }
            return try proceed(action, &state)
        }
    }

    func runSideEffect(key: AnyHashable, node: NodeIdentity, proceed: () -> Void) {
        wrap("effect \(key)") { if !hidesChildren { proceed() } }
    }
}

@Suite struct InterceptorTests {
    private let journal = Journal()

    private func host(_ interceptors: [Meddler]) -> WorkflowHost<Inline<Int>> {
        var options = journal.options()
        options.interceptors = interceptors
        return WorkflowHost(
            workflow: Inline<Int> { state, context in
                context.runSideEffect(key: "e") { _ in journal.note("effect runs") }
                let child = Inline<Int> { state, _ in state + 1 }
                    .rendered(in: context, key: "k") { Inline<Int>.Action.set($0.count) }
                return state * 100 + child
            }, options: options)
    }

    @Test func interceptorsNestAroundEachStepTheFirstOutermost() {
        let host = host([Meddler("a", journal), Meddler("b", journal)])
        #expect(
            journal.take() == [
                "a initial Inline (1) {", "b initial Inline (1) {", "b }", "a }",
                "a render Inline (1) {", "b render Inline (1) {", "a effect e {", "b effect e {",
                "b }", "a }", "a child k of Inline (1) {", "b child k of Inline (1) {",
                "a initial Inline/Inline:k (2) {", "b initial Inline/Inline:k (2) {", "b }", "a }",
                "a render Inline/Inline:k (2) {", "b render Inline/Inline:k (2) {", "b }", "a }",
                "b }", "a }", "b }", "a }", "effect runs",
            ])
        #expect(host.rendering == 1)
    }

    @Test func anInterceptorMayReplaceStepsAndSpeakForAChild() {
        let meddler = Meddler("m", journal)
        meddler.hidesChildren = true
        let host = host([meddler])
        #expect(host.rendering == 42)
        #expect(!journal.take().contains("effect runs"))
        _ = meddler.emit?("four")
        #expect(host.rendering == 442)
        #expect(host.describeTree().children.isEmpty)
    }

    private struct Doubler: WorkflowInterceptor {
        func render<W: Workflow>(
            _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity,
            proceed: (W, W.State, RenderContext<W>) -> W.Rendering
        ) -> W.Rendering {
            _ = proceed(workflow, state, context)
            return proceed(workflow, state, context)
        }

        func renderChild<Child: Workflow>(
            _ child: Child, key: String, parent: NodeIdentity,
            emit: @escaping (Child.Output) -> SendOutcome, proceed: (Child) -> Child.Rendering
        ) -> Child.Rendering {
            _ = proceed(child)
            return proceed(child)
        }

        func runSideEffect(key: AnyHashable, node: NodeIdentity, proceed: () -> Void) {
            proceed()
            proceed()
        }
    }

    @Test func aSecondProceedThatWouldDeclareTwiceIsReportedAndHasTheFirstResult() {
        var reports: [String] = []
        var options = HostOptions(onReport: { reports.append("\($0)") })
        options.interceptors = [Doubler()]
        let host = WorkflowHost(
            workflow: Inline<Int> { state, context in
                context.runSideEffect(key: "e") { _ in journal.note("effect runs") }
                let child = Inline<Int> { state, _ in state + 1 }
                    .rendered(in: context, key: "k") { Inline<Int>.Action.set($0.count) }
                return state * 100 + child
            }, options: options)
        #expect(host.rendering == 1)
        #expect(journal.take() == ["effect runs"])
        #expect(host.describeTree().children.count == 1)
        #expect(
            reports.map { $0.prefix { $0 != ";" } } == [
                "an interceptor proceeded twice in one call of runSideEffect for Inline",
                "an interceptor proceeded twice in one call of render for Inline/Inline:k",
                "an interceptor proceeded twice in one call of renderChild for Inline/Inline:k",
                "an interceptor proceeded twice in one call of render for Inline",
            ])
    }

    @Test func anInterceptorMayTakeAStepTwice() throws {
        let meddler = Meddler("m", journal)
        meddler.doublesActions = true
        var options = journal.options()
        options.interceptors = [meddler]
        let host = WorkflowHost(workflow: Counter(), options: options)
        host.rendering.sink.send(.add(1))
        #expect(host.rendering.count == 2)
    }
}
