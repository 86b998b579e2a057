import Workflow

private struct RowWorkflow: Workflow, Equatable {
    var text: String

    struct Rendering {
        var text: String
        var onTap: () -> Void
    }

    enum Output { case tapped }

    enum Action: WorkflowAction {
        case tap

        func apply(toState state: inout Int, context: ApplyContext<RowWorkflow>) -> Output? {
            state += 1
            return .tapped
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<RowWorkflow>) -> Rendering {
        let sink = context.makeSink(of: Action.self)
        return Rendering(text: text, onTap: { sink.send(.tap) })
    }
}

/// Rows whose outputs are mapped to actions with their place.
private struct RowsWorkflow: Workflow {
    var rows: [(key: String, text: String)]

    enum Action: WorkflowAction {
        case tapped(Int)

        func apply(toState state: inout Int, context: ApplyContext<RowsWorkflow>) -> Never? {
            switch self {
            case .tapped(let place): state = place
            }
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<RowsWorkflow>) -> [RowWorkflow.Rendering] {
        rows.indices.map { place in
            RowWorkflow(text: rows[place].text).mapOutput { _ in Action.tapped(place) }
                .rendered(in: context, key: rows[place].key)
        }
    }
}

private struct EffectsWorkflow: Workflow {
    var count: Int

    struct Touch: WorkflowAction {
        func apply(toState state: inout Int, context: ApplyContext<EffectsWorkflow>) -> Never? {
            state += 1
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<EffectsWorkflow>) -> Sink<Touch> {
        for key in 0..<count { context.runSideEffect(key: key) { _ in } }
        return context.makeSink(of: Touch.self)
    }
}

private struct Sleeper: Worker, Equatable {
    func run() async throws -> Int {
        try await WorkerClock.sleep(for: .seconds(1_000_000))
        return 0
    }
}

private struct SleepersWorkflow: Workflow {
    var keys: [String]

    enum Action: WorkflowAction {
        case toggle, woken

        func apply(toState state: inout Bool, context: ApplyContext<SleepersWorkflow>) -> Never? {
            if case .toggle = self { state.toggle() }
            return nil
        }
    }

    func makeInitialState() -> Bool { false }

    func render(state: Bool, context: RenderContext<SleepersWorkflow>) -> Sink<Action> {
        for key in state ? keys : [] {
            Sleeper().mapOutput { _ in Action.woken }.running(in: context, key: key)
        }
        return context.makeSink(of: Action.self)
    }
}

/// The cost of a pass that declares the same things again: rows, side effects, workers.
func declaredShapes() -> [Measurement] {
    var results: [Measurement] = []

    let rows = WorkflowHost(
        workflow: RowsWorkflow(rows: (0..<1000).map { ("\($0)", "the text of row number \($0)") }))
    var place = 0
    results.append(
        measure("1,000 rows, one is tapped", note: "≤ 1,010 allocations", calls: 50) {
            place = (place + 1) % 1000
            rows.rendering[place].onTap()
        })

    for count in [10, 1000] {
        let host = WorkflowHost(workflow: EffectsWorkflow(count: count))
        results.append(
            measure("\(count) side effects", note: "≤ 5 allocations", calls: 20_000 / count) {
                host.rendering.send(.init())
            })
    }

    let sleepers = WorkflowHost(workflow: SleepersWorkflow(keys: (0..<100).map { "\($0)" }))
    results.append(
        measure("100 workers start and stop", calls: 20) {
            sleepers.rendering.send(.toggle)
            sleepers.rendering.send(.toggle)
        })
    sleepers.shutDown()
    return results
}
