import Testing
import Workflow

private struct Recursive: Workflow {
    struct Rendering {
        var state: State
        var sink: Sink<Action>
    }

    struct State: Equatable {
        var count = 0
        var sink: SinkBox?
    }

    final class SinkBox: Equatable, Sendable {
        let sink: Sink<Action>
        init(_ sink: Sink<Action>) { self.sink = sink }
        static func == (a: SinkBox, b: SinkBox) -> Bool { a === b }
    }

    enum Action: WorkflowAction, Sendable {
        case keep(Sink<Action>)
        case countDown(Int)

        func apply(toState state: inout State, context: ApplyContext<Recursive>) -> Never? {
            switch self {
            case .keep(let sink): state.sink = SinkBox(sink)
            case .countDown(let left):
                state.count += 1
                if left > 1 { state.sink?.sink.send(.countDown(left - 1)) }
            }
            return nil
        }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Recursive>) -> Rendering {
        Rendering(state: state, sink: context.makeSink(of: Action.self))
    }
}

private struct Shown {
    var count: Int
    var own: Sink<Inline<Shown>.Action>
    var child: Sink<Counter.Action>
}

@Suite struct ReentryTests {
    @Test func aChainOfAHundredThousandSendsDoesNotGrowTheStack() {
        let host = WorkflowHost(workflow: Recursive())
        let sink = host.rendering.sink
        sink.send(.keep(sink))
        sink.send(.countDown(100_000))
        #expect(host.rendering.state.count == 100_000)
    }

    @Test func aChainOfSendsFromSideEffectsDoesNotGrowTheStack() {
        let host = WorkflowHost(
            workflow: Inline<Int> { state, context in
                let sink = context.makeSink(of: Inline<Int>.Action.self)
                context.runSideEffect(key: state) { _ in
                    if state < 100_000 { sink.send(.set(state + 1)) }
                }
                return state
            })
        #expect(host.rendering == 100_000)
    }

    private func host(
        _ journal: Journal,
        outputMap: @escaping (String, Sink<Inline<Shown>.Action>) -> Inline<Shown>.Action?
    ) -> WorkflowHost<Inline<Shown>> {
        let host = WorkflowHost(
            workflow: Inline<Shown> { state, context in
                let own = context.makeSink(of: Inline<Shown>.Action.self)
                let child = Counter().rendered(in: context) { outputMap($0, own) }
                return Shown(count: state, own: own, child: child.sink)
            }, options: journal.options())
        return host
    }

    @Test func anActionSentWhileAnOutputIsMappedIsAppliedAfterThePassOfItsCascade() {
        let journal = Journal()
        let host = host(journal) { output, own in
            journal.note("outcome \(own.send(.set(2)))")
            return .set(1)
        }
        host.onRendering = { journal.note("rendered \($0.count)") }
        host.rendering.child.send(.emit("x"))
        #expect(journal.take() == ["outcome queued", "rendered 1", "rendered 2"])
    }

    @Test func aThrowingOutputMappingRollsTheCascadeBack() {
        let journal = Journal()
        let host = WorkflowHost(
            workflow: Inline<Counter.Rendering> { state, context in
                Counter().rendered(in: context) { output -> Inline<Counter.Rendering>.Action? in
                    throw TestError("no \(output)")
                }
            }, options: journal.options())
        host.rendering.sink.send(.addAndEmit(1, "thanks"))
        #expect(host.rendering.count == 0)
        #expect(
            journal.take() == [
                """
                report: the action sent to Inline/Counter failed and was rolled back: no thanks
                """
            ])
    }

    @Test func aSendFromAnObserverOfRenderingsIsAppliedAfterTheOutputs() {
        let journal = Journal()
        let host = host(journal) { output, _ in .setAndEmit(output.count, output) }
        host.onRendering = { shown in
            journal.note("rendered \(shown.count)")
            if shown.count == 1 { journal.note("outcome \(shown.own.send(.set(5)))") }
        }
        host.onOutput = { journal.note("output \($0)") }
        host.rendering.child.send(.emit("a"))
        #expect(journal.take() == ["rendered 1", "outcome queued", "output a", "rendered 5"])
    }

    @Test func anUpdateFromAnOutputCallbackTakesEffectAfterIt() {
        let journal = Journal()
        let host = WorkflowHost(workflow: Counter(name: "a"))
        host.onRendering = { journal.note("rendered \($0.count)") }
        host.onOutput = { [unowned host] output in
            host.update(workflow: Counter(name: "b"))
            journal.note("output \(output)")
        }
        host.rendering.sink.send(.addAndEmit(1, "x"))
        #expect(journal.take() == ["rendered 1", "output x", "rendered 1"])
    }
}
