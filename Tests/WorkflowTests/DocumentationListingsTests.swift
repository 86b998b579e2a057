import Testing
import Workflow

// The Swift listings of the Workflow documentation, completed where a listing leaves something out.

private struct DemoScreen {
    var title: String
    var onTap: () -> Void
}

private struct DemoWorkflow: Workflow {
    var name: String

    enum State: Equatable {
        case idle
        case refreshed(times: Int)
    }

    enum Output: Equatable {
        case refreshed(Int)
    }

    enum Action: WorkflowAction {
        case refreshButtonTapped
        case doneTapped

        func apply(toState state: inout DemoWorkflow.State, context: ApplyContext<DemoWorkflow>)
            -> DemoWorkflow.Output?
        {
            switch (self, state) {
            case (.refreshButtonTapped, .idle):
                state = .refreshed(times: 1)
                return nil
            case (.refreshButtonTapped, .refreshed(let times)):
                state = .refreshed(times: times + 1)
                return nil
            case (.doneTapped, .idle):
                return .refreshed(0)
            case (.doneTapped, .refreshed(let times)):
                return .refreshed(times)
            }
        }
    }

    func makeInitialState() -> State { .idle }

    func workflowDidChange(from previousWorkflow: DemoWorkflow, state: inout State) {
        state = .idle
    }

    func render(state: State, context: RenderContext<DemoWorkflow>) -> DemoScreen {
        // Create a sink of our Action type so we can send actions back to the workflow.
        let sink = context.makeSink(of: Action.self)

        return DemoScreen(
            title: state == .idle ? "A nice title" : "A nice title, \(name): \(state)",
            onTap: { sink.send(Action.refreshButtonTapped) })
    }
}

private struct TextWorkflow: Workflow {
    var text: String

    enum Action: WorkflowAction {
        case shout

        func apply(toState state: inout Void, context: ApplyContext<TextWorkflow>) -> String? {
            context[workflowValue: \.text].uppercased()
        }
    }

    typealias Output = String

    func render(
        state: Void, context: RenderContext<TextWorkflow>
    ) -> (text: String, sink: Sink<Action>) {
        (text, context.makeSink(of: Action.self))
    }
}

private struct ReversingWorkflow: Workflow {
    struct State {
        var heard: [String] = []
    }

    enum Action: WorkflowAction {
        case heard(String)

        func apply(toState state: inout State, context: ApplyContext<ReversingWorkflow>) -> Never? {
            switch self {
            case .heard(let text): state.heard.append(text)
            }
            return nil
        }
    }

    func makeInitialState() -> State { State() }

    func render(
        state: State, context: RenderContext<ReversingWorkflow>
    ) -> (text: String, sink: Sink<TextWorkflow.Action>, heard: [String]) {
        let child = TextWorkflow(text: "hello")
            .mapRendering { (String($0.text.reversed()), $0.sink) }
            .mapOutput { Action.heard(String($0.reversed())) }
            .rendered(in: context)
        return (child.0, child.1, state.heard)
    }
}

private struct TicTacToeWorkflow: Workflow {
    struct State {
        enum Player {
            case x
            case o
        }

        enum Space: Equatable {
            case unfilled
            case filled(Player)
        }

        // 3 rows * 3 columns = 9 spaces
        var spaces: [Space] = Array(repeating: .unfilled, count: 9)
        var currentTurn: Player = .x
    }

    enum Action: WorkflowAction {
        case taken(Int)

        func apply(toState state: inout State, context: ApplyContext<TicTacToeWorkflow>) -> Never? {
            switch self {
            case .taken(let space):
                guard state.spaces[space] == .unfilled else { return nil }
                state.spaces[space] = .filled(state.currentTurn)
                state.currentTurn = state.currentTurn == .x ? .o : .x
            }
            return nil
        }
    }

    func makeInitialState() -> State { State() }

    func render(
        state: State, context: RenderContext<TicTacToeWorkflow>
    ) -> (spaces: [State.Space], take: (Int) -> Void) {
        let sink = context.makeSink(of: Action.self)
        return (state.spaces, { sink.send(.taken($0)) })
    }
}

/// Renders one child in each of the two spellings.
private struct TwoSpellings: Workflow {
    func render(state: Void, context: RenderContext<TwoSpellings>) -> [String] {
        [
            PlainText(text: "in").rendered(in: context),
            PlainText(text: "with").rendered(with: context, key: "with"),
            TextWorkflow(text: "mapped")
                .mapRendering { $0.text }
                .mapOutput { _ in AnyWorkflowAction<TwoSpellings>.noAction }
                .rendered(with: context),
        ]
    }

    struct PlainText: Workflow {
        var text: String
        func render(state: Void, context: RenderContext<PlainText>) -> String { text }
    }
}

@Suite struct DocumentationListingsTests {
    @Test func theDemoWorkflowRefreshesWhenItsScreenIsTapped() {
        let host = WorkflowHost(workflow: DemoWorkflow(name: "demo"))
        var outputs: [DemoWorkflow.Output] = []
        host.onOutput = { outputs.append($0) }
        #expect(host.rendering.title == "A nice title")
        host.rendering.onTap()
        host.rendering.onTap()
        #expect(host.rendering.title == "A nice title, demo: refreshed(times: 2)")
        host.update(workflow: DemoWorkflow(name: "other"))
        #expect(host.rendering.title == "A nice title")
        #expect(outputs == [])
    }

    @Test func aParentReversesTheTextOfItsChildAndHearsItsOutputs() {
        let host = WorkflowHost(workflow: ReversingWorkflow())
        #expect(host.rendering.text == "olleh")
        host.rendering.sink.send(.shout)
        #expect(host.rendering.heard == ["OLLEH"])
    }

    @Test func ticTacToeStartsWithNineUnfilledSpacesAndTakesTurns() {
        let host = WorkflowHost(workflow: TicTacToeWorkflow())
        #expect(host.rendering.spaces == Array(repeating: .unfilled, count: 9))
        host.rendering.take(4)
        host.rendering.take(4)
        host.rendering.take(0)
        #expect(host.rendering.spaces[4] == .filled(.x))
        #expect(host.rendering.spaces[0] == .filled(.o))
        #expect(host.rendering.spaces.filter { $0 == .unfilled }.count == 7)
    }

    @Test func renderedInAndRenderedWithMeanTheSame() {
        #expect(WorkflowHost(workflow: TwoSpellings()).rendering == ["in", "with", "mapped"])
    }
}
