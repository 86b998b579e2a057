import Testing
import Workflow

/// Code in the style of workflow-swift.
private struct Screen: Workflow {
    var title: String

    struct State: Equatable {
        var loaded: String?
        var numbers: [Int] = []
    }

    enum Output: Equatable { case closed(Int) }

    struct Rendering {
        var text: String
        var child: Counter.Rendering
        var fixed: Int
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Screen>) -> Rendering {
        AsyncOperationWorker(loadTitle)
            .mapOutput { text in
                AnyWorkflowAction<Screen> { state in
                    state.loaded = text
                    return nil
                }
            }
            .running(in: context)
        Numbers()
            .onOutput { (state: inout State, number: Int) -> Output? in
                state.numbers.append(number)
                return nil
            }
            .running(in: context)
        let child: AnyWorkflow<Counter.Rendering, AnyWorkflowAction<Screen>> = Counter()
            .mapOutput { AnyWorkflowAction<Screen>(sendingOutput: .closed($0.count)) }
        let fixed: AnyWorkflow<Int, AnyWorkflowAction<Screen>> = Fixed()
            .mapOutput(to: AnyWorkflowAction<Screen>.self)
        let doubled: AnyWorkflow<Int, AnyWorkflowAction<Screen>> = fixed.mapRendering { $0 * 2 }
        return Rendering(
            text: state.loaded ?? title, child: child.rendered(in: context),
            fixed: doubled.rendered(in: context))
    }
}

@Sendable private func loadTitle() async -> String { "loaded" }

private struct Numbers: AsyncSequenceWorker, Equatable {
    func run() -> AsyncStream<Int> {
        AsyncStream { end in
            for number in 1...3 { end.yield(number) }
            end.finish()
        }
    }
}

private struct Fixed: Workflow {
    func render(state: Void, context: RenderContext<Fixed>) -> Int { 21 }
}

private final class Ends: WorkflowObserver {
    var names: [String] = []
    func nodeDidEnd(_ node: NodeIdentity) { names.append(node.name) }
}

@Suite struct FamiliarNamesTests {
    @MainActor @Test func aScreenAsItIsWrittenForWorkflowSwiftRuns() async {
        let observer = Ends()
        let host = WorkflowHost(
            workflow: Screen(title: "waiting").asAnyWorkflow(), observers: [observer])
        #expect(host.rendering.text == "waiting")
        #expect(host.rendering.fixed == 42)
        for await rendering in host.renderings where rendering.text == "loaded" { break }
        #expect(host.rendering.text == "loaded")
        var outputs: [Screen.Output] = []
        host.onOutput = { outputs.append($0) }
        host.rendering.child.sink.send(.emit("four"))
        #expect(outputs == [.closed(4)])
        host.shutDown()
        #expect(observer.names.contains("Screen"))
    }

    @Test func anErasedRootKeepsTheStateOfItsChildWhenItsInputsChange() {
        let host = WorkflowHost(workflow: AnyWorkflow(Counter(name: "a")))
        host.rendering.sink.send(.add(2))
        host.update(workflow: AnyWorkflow(Counter(name: "b")))
        #expect(host.rendering.count == 2)
        host.update(workflow: AnyWorkflow(Counter(start: 5).mapRendering { $0 }))
        #expect(host.rendering.count == 2)
        let erased: AnyWorkflow<Counter.Rendering, Never> = Counter(start: 5).ignoringOutput()
        let silent = WorkflowHost(workflow: erased)
        silent.rendering.sink.send(.emit("x"))
        #expect(silent.rendering.count == 5)
    }
}
