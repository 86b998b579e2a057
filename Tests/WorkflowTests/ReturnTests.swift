import PlainValue
import TestSupport
import Testing
import Workflow

private struct Row: Workflow, Equatable {
    var id: Int
    var title: Int

    struct State: Codable, Equatable {
        var ups = 0
        var titles: [Int]
    }

    enum Action: WorkflowAction {
        case up
        func apply(toState state: inout State, context: ApplyContext<Row>) -> Never? {
            state.ups += 1
            return nil
        }
    }

    func makeInitialState() -> State { State(titles: [title]) }

    func workflowDidChange(from previous: Row, state: inout State) { state.titles.append(title) }

    func render(state: State, context: RenderContext<Row>) -> Rendering {
        Rendering(id: id, state: state, up: context.makeSink(of: Action.self))
    }

    struct Rendering {
        var id: Int
        var state: State
        var up: Sink<Action>
    }
}

private struct Table: Workflow {
    var name = ""

    struct State: Codable, Equatable {
        var ids: [Int]
        var title = 0
        var isBusy = false
    }

    enum Action: WorkflowAction {
        case arrange([Int])
        case rename
        case work
        func apply(toState state: inout State, context: ApplyContext<Table>) -> Never? {
            switch self {
            case .arrange(let ids): state.ids = ids
            case .rename: state.title += 1
            case .work: state.isBusy.toggle()
            }
            return nil
        }
    }

    func makeInitialState() -> State { State(ids: Array(1...6)) }

    func render(state: State, context: RenderContext<Table>) -> Rendering {
        if state.isBusy { context.runSideEffect(key: "work") { _ in } }
        return Rendering(
            name: name, title: state.title,
            rows: state.ids.map { id in
                Row(id: id, title: id == 3 ? state.title : 0).rendered(in: context, key: "\(id)")
            },
            sink: context.makeSink(of: Action.self))
    }

    struct Rendering {
        var name: String
        var title: Int
        var rows: [Row.Rendering]
        var sink: Sink<Action>

        /// Everything but the sinks.
        var shown: [String] {
            ["\(name) \(title)"] + rows.map { "\($0.id) \($0.state.ups) \($0.state.titles)" }
        }
    }
}

/// A host that continues from a snapshot with its existing nodes.
@Suite struct ReturnTests {
    private typealias Moment = (name: String, snapshot: TreeSnapshot, shown: [String])

    private func play(
        _ host: WorkflowHost<Table>, name: inout String, _ random: inout SeededNumbers
    ) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: host.rendering.sink.send(.rename)
        case 1:
            let ids = Array(1...8).shuffled(using: &random)
            let count = Int.random(in: 0...8, using: &random)
            host.rendering.sink.send(.arrange(Array(ids.prefix(count))))
        case 2:
            name = "table \(Int.random(in: 0..<3, using: &random))"
            host.update(workflow: Table(name: name))
        default: host.rendering.rows.randomElement(using: &random)?.up.send(.up)
        }
    }

    @Test(arguments: SeededNumbers.seeds(1...8)) func aHostShowsAnyMomentAgain(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var name = ""
        let host = WorkflowHost(workflow: Table())
        var moments: [Moment] = []
        for _ in 1...60 {
            moments.append((name, host.makeSnapshot(), host.rendering.shown))
            play(host, name: &name, &random)
        }
        for _ in 1...60 {
            guard let moment = moments.randomElement(using: &random) else { continue }
            #expect(host.goOn(from: moment.snapshot, workflow: Table(name: moment.name)))
            #expect(host.rendering.shown == moment.shown)
            #expect(host.makeSnapshot() == moment.snapshot)
            // Everything afterwards is also as after that moment.
            let other = WorkflowHost(workflow: Table(name: moment.name), restoring: moment.snapshot)
            var (name, otherName, same) = (moment.name, moment.name, random)
            play(host, name: &name, &random)
            play(other, name: &otherName, &same)
            #expect(host.rendering.shown == other.rendering.shown)
        }
    }

    @Test func nodesThatStayAreNotRenderedAgain() {
        let host = WorkflowHost(workflow: Table())
        let first = host.makeSnapshot()
        host.rendering.rows[1].up.send(.up)
        host.rendering.sink.send(.arrange([6, 2, 1, 3, 4]))
        host.notedRenders = []
        #expect(host.goOn(from: first, workflow: Table()))
        #expect(
            host.notedRenders?.map { $0.node.description } == [
                "Table", "Table/Row:2", "Table/Row:5",
            ])
    }

    @Test func aHostWithSideEffectsStaysWhereItIs() {
        let host = WorkflowHost(workflow: Table())
        let idle = host.makeSnapshot()
        host.rendering.sink.send(.work)
        host.rendering.sink.send(.rename)
        #expect(!host.goOn(from: idle, workflow: Table()))
        #expect(host.rendering.title == 1)
    }

    @Test func aMomentWithSideEffectsIsForANewHost() {
        let host = WorkflowHost(workflow: Table())
        host.rendering.sink.send(.work)
        let busy = host.makeSnapshot()
        host.rendering.sink.send(.work)
        #expect(!host.goOn(from: busy, workflow: Table()))
    }
}
