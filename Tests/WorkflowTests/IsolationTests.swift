import Foundation
import Testing
import Workflow

private struct Tally: Workflow {
    struct Rendering {
        var count: Int
        var sink: Sink<Action>
        var tap: () -> SendOutcome
    }

    enum Action: WorkflowAction {
        typealias WorkflowType = Tally
        case increment
        func apply(toState state: inout Int) -> Never? {
            state += 1
            return nil
        }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Tally>) -> Rendering {
        let sink = context.makeSink(of: Action.self)
        return Rendering(count: state, sink: sink, tap: { sink.send(.increment) })
    }
}

private actor Owner {
    var host: WorkflowHost<Tally>?
    var count: Int { host?.rendering.count ?? -1 }
    var sink: Sink<Tally.Action>? { host?.rendering.sink }

    func start() { host = WorkflowHost(workflow: Tally()) }

    func waitForRendering(_ isThatOne: (Tally.Rendering) -> Bool) async {
        guard let host else { return }
        for await rendering in host.renderings where isThatOne(rendering) { break }
    }

    func sendFromInside() -> [Int] {
        guard let host else { return [] }
        host.rendering.sink.send(.increment)
        let afterSink = host.rendering.count
        _ = host.rendering.tap()
        return [afterSink, host.rendering.count]
    }
}

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "owner")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor CustomOwner {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func sendFromInside() -> [Int] {
        let host = WorkflowHost(workflow: Tally())
        host.rendering.sink.send(.increment)
        let afterSink = host.rendering.count
        _ = host.rendering.tap()
        return [afterSink, host.rendering.count]
    }
}

@Suite struct IsolationTests {
    @Test func anActionFromTheOwningActorIsAppliedBeforeSendReturns() async {
        let owner = Owner()
        await owner.start()
        #expect(await owner.sendFromInside() == [1, 2])
    }

    @Test func anActionFromAnActorWithItsOwnExecutorIsAppliedBeforeSendReturns() async {
        #expect(await CustomOwner().sendFromInside() == [1, 2])
    }

    @MainActor @Test func anActionFromTheMainActorIsAppliedBeforeSendReturns() {
        let host = WorkflowHost(workflow: Tally())
        host.rendering.sink.send(.increment)
        #expect(host.rendering.count == 1)
        guard case .applied = host.rendering.tap() else {
            Issue.record("a closure of the rendering must apply at once")
            return
        }
        #expect(host.rendering.count == 2)
    }

    @Test func anActionFromElsewhereIsQueuedAndAppliedByTheOwner() async throws {
        let owner = Owner()
        await owner.start()
        let sink = try #require(await owner.sink)
        guard case .queued = sink.send(.increment) else {
            Issue.record("code outside the actor must not apply anything")
            return
        }
        await owner.waitForRendering { $0.count == 1 }
        #expect(await owner.count == 1)
    }

    @Test func aHostOutsideActorsTakesWhatOthersSentWhenItIsNextUsed() async {
        let host = WorkflowHost(workflow: Tally())
        let sink = host.rendering.sink
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { sink.send(.increment) } }
            }
        }
        #expect(host.rendering.count == 80_000)
    }

    @Test func aHostOutsideActorsTakesWhatItsTaskSendsFromTheMainActor() async {
        let host = WorkflowHost(workflow: Tally())
        let sink = host.rendering.sink
        await MainActor.run {
            guard case .applied = sink.send(.increment) else {
                Issue.record("code of the same task must apply at once")
                return
            }
        }
        #expect(host.rendering.count == 1)
    }

    @Test func aHostOutsideActorsTakesWhatItsThreadSendsFromTheMainActor() async {
        let outcomes = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let host = unownedTally()
                let sink = host.rendering.sink
                let first = MainActor.assumeIsolated { sink.send(.increment) }
                continuation.resume(returning: ("\(first)", host.rendering.count))
            }
        }
        #expect(outcomes == ("applied", 1))
    }

    @Test func aHostMadeOnTheMainThreadOutsideTasksTakesWhatTasksSendThere() async {
        let made = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let host = unownedTally()
                _ = host.rendering
                nonisolated(unsafe) let kept = host
                continuation.resume(returning: (kept, Thread.isMainThread))
            }
        }
        await MainActor.run {
            let sink = made.0.rendering.sink
            #expect(made.0.rendering.count == 0)
            if case .applied = sink.send(.increment) { return }
            // The main thread does not always serve the main queue.
            #expect(!made.1 || !Thread.isMainThread)
        }
    }
}

/// A host that no actor owns, wherever this is called.
private func unownedTally() -> WorkflowHost<Tally> { WorkflowHost(workflow: Tally()) }
