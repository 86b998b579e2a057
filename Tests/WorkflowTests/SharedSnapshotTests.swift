import PlainValue
import TestSupport
import Testing
import Workflow

private struct Row: Workflow, Equatable, Codable {
    var id: Int

    enum Action: WorkflowAction {
        case up
        func apply(toState state: inout Int, context: ApplyContext<Row>) -> Never? {
            state += 1
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Row>) -> (id: Int, ups: Int, up: Sink<Action>) {
        (id, state, context.makeSink(of: Action.self))
    }
}

private struct Table: Workflow {
    struct State: Codable, Equatable {
        var ids: [Int]
        var title = 0
    }

    enum Action: WorkflowAction {
        case arrange([Int])
        case rename
        func apply(toState state: inout State, context: ApplyContext<Table>) -> Never? {
            switch self {
            case .arrange(let ids): state.ids = ids
            case .rename: state.title += 1
            }
            return nil
        }
    }

    func makeInitialState() -> State { State(ids: Array(1...6)) }

    func render(
        state: State, context: RenderContext<Table>
    ) -> (rows: [Row.Rendering], title: Int, sink: Sink<Action>) {
        let rows = state.ids.map { Row(id: $0).rendered(in: context, key: "\($0)") }
        return (rows, state.title, context.makeSink(of: Action.self))
    }
}

/// Shows all nodes as they were at first.
private final class Still: WorkflowInterceptor {
    private var renderings: [NodePath: Any] = [:]

    func render<W: Workflow>(
        _ workflow: W, state: W.State, context: RenderContext<W>, node: NodeIdentity,
        proceed: (W, W.State, RenderContext<W>) -> W.Rendering
    ) -> W.Rendering {
        if let known = renderings[node.path] as? W.Rendering { return known }
        let rendering = proceed(workflow, state, context)
        renderings[node.path] = rendering
        return rendering
    }
}

@Suite struct SharedSnapshotTests {
    @Test func snapshotsShareTheChildrenThatStayAsTheyWere() {
        let host = WorkflowHost(workflow: Table())
        let first = host.makeSnapshot().root
        host.rendering.sink.send(.rename)
        let second = host.makeSnapshot().root
        #expect(second.state == StateSnapshot(["ids": [1, 2, 3, 4, 5, 6], "title": 1]))
        #expect(second.children.sharesStorage(with: first.children))
        host.rendering.rows[2].up.send(.up)
        let third = host.makeSnapshot().root
        #expect(!third.children.sharesStorage(with: second.children))
        #expect(third.children.map(\.state?.value) == [0, 0, 1, 0, 0, 0])
        #expect(second.children.map(\.state?.value) == [0, 0, 0, 0, 0, 0])
    }

    @Test(arguments: SeededNumbers.seeds(1...8)) func aSnapshotIsWhatTheTreeShows(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let host = WorkflowHost(workflow: Table())
        for _ in 1...200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: host.rendering.sink.send(.rename)
            case 1:
                let ids = Array(1...8).shuffled(using: &random)
                let count = Int.random(in: 0...8, using: &random)
                host.rendering.sink.send(.arrange(Array(ids.prefix(count))))
            case 2: host.rendering.sink.send(.arrange(host.rendering.rows.map(\.id).reversed()))
            default: host.rendering.rows.randomElement(using: &random)?.up.send(.up)
            }
            guard Bool.random(using: &random) else { continue }
            let root = host.makeSnapshot().root
            #expect(root.state?.value["title"] == .int(host.rendering.title))
            #expect(root.children.map(\.key) == host.rendering.rows.map { "\($0.id)" })
            #expect(root.children.map(\.inputs) == host.rendering.rows.map { ["id": .int($0.id)] })
            #expect(root.children.map(\.state?.value) == host.rendering.rows.map { .int($0.ups) })
        }
    }

    @Test func aStateThatIsNotShownIsInTheSnapshot() {
        var options = HostOptions()
        options.interceptors = [Still()]
        let host = WorkflowHost(workflow: Table(), options: options)
        _ = host.makeSnapshot()
        host.rendering.sink.send(.rename)
        #expect(host.rendering.title == 0)
        #expect(host.makeSnapshot().root.state?.value["title"] == 1)
    }
}
