import Testing
import Workflow

private struct Leaf: Workflow {
    var base: Int
    struct Rendering {
        var text: String
        var sink: Sink<Action>
    }
    enum Action: WorkflowAction {
        case add(Int)
        case finish
        func apply(toState state: inout Int, context: ApplyContext<Leaf>) -> String? {
            switch self {
            case .add(let n):
                state += n
                return nil
            case .finish: return "done \(state)"
            }
        }
    }
    typealias Output = String
    func makeInitialState() -> Int { base }
    func render(state: Int, context: RenderContext<Leaf>) -> Rendering {
        Rendering(text: "\(state)", sink: context.makeSink(of: Action.self))
    }
}

private struct Root: Workflow {
    struct State: Equatable {
        var words: [String] = []
        var count = 3
    }
    enum Action: WorkflowAction {
        case word(String)
        func apply(toState state: inout State, context: ApplyContext<Root>) -> Never? {
            switch self {
            case .word(let text): state.words.append(text)
            }
            return nil
        }
    }
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Root>) -> ([Leaf.Rendering], [String]) {
        let leaves = (0..<state.count).map { index in
            Leaf(base: index).mapOutput { Action.word($0) }.rendered(in: context, key: "\(index)")
        }
        return (leaves, state.words)
    }
}

@Test func aTreeOfKeyedChildrenAppliesActionsAndOutputs() {
    let host = WorkflowHost(workflow: Root())
    #expect(host.rendering.0.map(\.text) == ["0", "1", "2"])
    host.rendering.0[1].sink.send(.add(5))
    #expect(host.rendering.0.map(\.text) == ["0", "6", "2"])
    host.rendering.0[1].sink.send(.finish)
    #expect(host.rendering.1 == ["done 6"])
}
