import Foundation
import Testing
import Workflow

/// Reports to others, and sends numbers from another thread during that.
private struct Meddled: Workflow {
    struct Rendering {
        var numbers: [Int]
        var sink: Sink<Action>
    }

    enum Action: WorkflowAction, Sendable {
        case add(Int)

        func apply(toState state: inout [Int], context: ApplyContext<Meddled>) -> Never? {
            switch self {
            case .add(let number): state.append(number)
            }
            return nil
        }
    }

    var input = 0

    func makeInitialState() -> [Int] { [] }

    func render(state: [Int], context: RenderContext<Meddled>) -> Rendering {
        let sink = context.makeSink(of: Action.self)
        context.runSideEffect(key: input) { _ in
            fromElsewhere { sink.send(.add(input)) }
            sink.send(.add(input + 1))
        }
        return Rendering(numbers: state, sink: sink)
    }
}

private func fromElsewhere(_ body: @escaping @Sendable () -> SendOutcome) {
    let done = DispatchSemaphore(value: 0)
    Thread {
        guard case .queued = body() else { fatalError("it must be queued") }
        done.signal()
    }.start()
    done.wait()
}

@Suite struct OwnWorkTests {
    @MainActor @Test func nothingFromElsewhereIsAppliedWithinTheOwnersOwnCode() {
        let host = WorkflowHost(workflow: Meddled(input: 10))
        #expect(host.rendering.numbers == [11])
        fromElsewhere { [sink = host.rendering.sink] in sink.send(.add(1)) }
        #expect(host.rendering.numbers == [11])
        host.rendering.sink.send(.add(2))
        #expect(host.rendering.numbers == [11, 2])
        host.update(workflow: Meddled(input: 20))
        #expect(host.rendering.numbers == [11, 2, 21])
        _ = host.describeTree()
        _ = host.makeSnapshot()
        _ = host.renderFailures
        _ = host.renderings
        _ = host.outputs
        #expect(host.rendering.numbers == [11, 2, 21])
        host.settle()
        #expect(host.rendering.numbers == [11, 2, 21, 10, 1, 20])
        host.shutDown()
    }

    @MainActor @Test func anOwnerIsWokenForWhatCameWhileItsOwnCodeRan() async {
        let host = WorkflowHost(workflow: Meddled(input: 10))
        for await rendering in host.renderings where rendering.numbers == [11, 10] { break }
        #expect(host.rendering.numbers == [11, 10])
        host.shutDown()
    }

    @Test func theFirstRenderingIsSeenBeforeAnyOutputOfAWorker() async {
        let executor = SteppedExecutor()
        let owner = SteppedActor<Loading>(executor)
        async let start: Void = owner.start(Loading()) { host in
            loaded.wait()
            #expect(host.rendering == "loading")
        }
        await executor.runNext()
        await start
        await executor.runNext()  // Woken.
        async let end: Void = owner.perform { host in
            #expect(host.rendering == "loaded")
            host.shutDown()
        }
        await executor.runNext()
        await end
    }

    @Test func aHostWithoutAnActorTakesWaitingActionsAfterItsOwnWhenItIsUsed() {
        let host = WorkflowHost(workflow: Meddled(input: 10))
        #expect(host.rendering.numbers == [11, 10])
        fromElsewhere { [sink = host.rendering.sink] in sink.send(.add(1)) }
        host.rendering.sink.send(.add(2))
        #expect(host.rendering.numbers == [11, 10, 1, 2])
        let sink = host.rendering.sink
        fromElsewhere { sink.send(.add(3)) }
        sink.send(.add(4))
        #expect(host.rendering.numbers == [11, 10, 1, 2, 4, 3])
        host.shutDown()
    }
}

/// Signalled when the output of ``Immediate`` is being sent.
private let loaded = DispatchSemaphore(value: 0)

/// Sends at once, and then waits until it is stopped: its end could wake the owner once more.
private struct Immediate: EmittingWorker, Equatable {
    typealias Output = String
    func run(into sink: WorkerSink<String>) async throws {
        sink.send("loaded")
        loaded.signal()
        try await WorkerClock.sleep(for: .seconds(1_000_000))
    }
}

private struct Loading: Workflow {
    func makeInitialState() -> String { "loading" }

    func render(state: String, context: RenderContext<Loading>) -> String {
        Immediate()
            .onOutput { (state: inout String, text: String) -> Never? in
                state = text
                return nil
            }
            .running(in: context)
        return state
    }
}
