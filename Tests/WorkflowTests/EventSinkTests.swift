import Testing
import Workflow

private struct Form: Workflow {
    struct State: Equatable {
        var name = ""
        var age = 0
    }

    enum Action: WorkflowAction {
        case rename(String)
        case grow

        func apply(toState state: inout State, context: ApplyContext<Form>) -> String? {
            switch self {
            case .rename(let name): state.name = name
            case .grow: state.age += 1
            }
            return nil
        }
    }

    struct Rendering {
        var state: State
        var taps: Sink<Int>
        var other: Sink<Int>
        var mutations: StateMutationSink<Form>
        var grow: () -> Void
        var rename: (Substring) -> Void
    }

    typealias Output = String

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Form>) -> Rendering {
        Rendering(
            state: state,
            taps: context.makeSink(of: Int.self) { tap, new in
                new.age = state.age + tap
                return new.age > 5 ? "old" : nil
            },
            other: context.makeSink(of: Int.self) { _, state in
                state.name += "!"
                return nil
            },
            mutations: context.makeStateMutationSink(),
            grow: context.makeEventHandler(action: Action.grow),
            rename: context.makeEventHandler { (text: Substring) in Action.rename(String(text)) })
    }
}

@Suite struct EventSinkTests {
    @Test func anEventSinkHandlesEventsWithTheClosureOfItsRender() {
        let host = WorkflowHost(workflow: Form())
        var outputs: [String] = []
        host.onOutput = { outputs.append($0) }
        host.rendering.taps.send(2)
        host.rendering.taps.send(4)
        host.rendering.other.send(1)
        #expect(host.rendering.state == Form.State(name: "!", age: 6))
        #expect(outputs == ["old"])
    }

    @Test func eventSinksOfOneTypeInOneRenderAreNotEqual() {
        let host = WorkflowHost(workflow: Form())
        #expect(host.rendering.taps == host.rendering.taps)
        #expect(host.rendering.taps != host.rendering.other)
    }

    @Test func aStateMutationSinkChangesTheStateByClosureAndByKeyPath() {
        let host = WorkflowHost(workflow: Form())
        host.rendering.mutations.send { $0.age = 40 }
        host.rendering.mutations.send(\.name, value: "Ada")
        #expect(host.rendering.state == Form.State(name: "Ada", age: 40))
    }

    @Test func anEventHandlerAppliesItsActionBeforeItReturns() {
        let host = WorkflowHost(workflow: Form())
        host.rendering.grow()
        #expect(host.rendering.state.age == 1)
        host.rendering.rename("Grace"[...])
        #expect(host.rendering.state.name == "Grace")
    }

    @MainActor @Test func anEventHandlerAppliesItsActionAtOnceOnAnActorToo() {
        let host = WorkflowHost(workflow: Form())
        host.rendering.grow()
        #expect(host.rendering.state.age == 1)
    }
}
