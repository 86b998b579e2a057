import Testing
import Workflow
import WorkflowTesting

/// Looks something up once nobody has typed for a moment.
struct Search: Workflow {
    struct State: Equatable {
        var text = ""
        var results: [String] = []
    }

    enum Action: WorkflowAction, Equatable {
        case typed(String)
        case found([String])

        func apply(toState state: inout State, context: ApplyContext<Search>) -> Never? {
            switch self {
            case .typed(let text): state.text = text
            case .found(let results): state.results = results
            }
            return nil
        }
    }

    struct Rendering {
        var results: [String]
        var sink: Sink<Action>
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Search>) -> Rendering {
        if !state.text.isEmpty {
            LookUp(text: state.text).mapOutput { Action.found($0) }.running(in: context)
        }
        return Rendering(results: state.results, sink: context.makeSink(of: Action.self))
    }
}

struct LookUp: Worker, Equatable {
    var text: String

    func run() async throws -> [String] {
        try await WorkerClock.sleep(for: .milliseconds(300))
        return ["abacus", "cabin"].filter { $0.contains(text) }
    }
}

/// The code of the page of WorkflowTesting, line for line.
@Suite struct GuideSnippets {
    @Test func aTreeIsTestedInVirtualTime() {
        let tester = WorkflowTester(workflow: Search())
        tester.send(.typed("cab")) { $0.sink }
        tester.advance(by: .milliseconds(200))
        tester.assert(rendering: \.results, [])
        tester.advance(by: .milliseconds(100))
        tester.assert(rendering: \.results, ["cabin"])
        tester.finish()
    }

    @Test func aRenderIsTestedAlone() {
        Search()
            .renderTester(initialState: .init(text: "ab"))
            .expectWorker(LookUp(text: "ab"), producingOutput: ["abacus"])
            .render { rendering in #expect(rendering.results == []) }
            .assert(action: Search.Action.found(["abacus"]))
            .assert(state: .init(text: "ab", results: ["abacus"]))
    }

    @Test func actionsAreTestedAlone() {
        Search.Action.tester(withState: .init())
            .send(action: .typed("ab"))
            .assert(state: .init(text: "ab"))
            .send(action: .found(["abacus"]))
            .verifyState { state in #expect(state.results.count == 1) }
            .assertNoOutput()
    }
}
