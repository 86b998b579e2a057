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
        case increment
        func apply(toState state: inout Int, context: ApplyContext<Tally>) -> Never? {
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

    @Test func anActionSentOnAnActorWithItsOwnExecutorIsAppliedBeforeSendReturns() async {
        #expect(await CustomOwner().sendFromInside() == [1, 2])
    }

    @MainActor @Test func anActionFromTheMainActorIsAppliedBeforeSendReturns() {
        let host = WorkflowHost(workflow: Tally())
        host.rendering.sink.send(.increment)
        #expect(host.rendering.count == 1)
        let outcome = host.rendering.tap()
        #expect(outcome.brief == "applied")
        #expect(host.rendering.count == 2)
    }

    @Test func anActionFromElsewhereIsQueuedAndAppliedByTheOwner() async throws {
        let owner = Owner()
        await owner.start()
        let sink = try #require(await owner.sink)
        let outcome = sink.send(.increment)
        #expect(outcome.brief == "queued")
        await owner.waitForRendering { $0.count == 1 }
        #expect(await owner.count == 1)
    }

    @Test func aHostOutsideActorsTakesTheActionsOfOthersWhenItIsUsedNext() async {
        let host = WorkflowHost(workflow: Tally())
        let sink = host.rendering.sink
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<10_000 { sink.send(.increment) } } }
        }
        #expect(host.rendering.count == 80_000)
    }

    @Test func aHostOutsideActorsTakesWhatItsTaskSendsOnTheMainActor() async {
        let host = WorkflowHost(workflow: Tally())
        let sink = host.rendering.sink
        await MainActor.run {
            let outcome = sink.send(.increment)
            #expect(outcome.brief == "applied")
        }
        #expect(host.rendering.count == 1)
    }

    @Test(arguments: 0..<200) func aHostThatIsHandedOnLosesNothingThatItsMakerSends(_: Int) async {
        let host = WorkflowHost(workflow: Tally())
        let sink = host.rendering.sink
        let user = Task {
            for _ in 0..<100 {
                host.rendering.sink.send(.increment)
                host.update(workflow: Tally())
                await Task.yield()
            }
            while host.rendering.count < 200 { await Task.yield() }
            host.settle()
            return host.rendering.count
        }
        for _ in 0..<100 { sink.send(.increment) }
        #expect(await user.value == 200)
    }

    @Test(arguments: 0..<200) func aHostThatAnActorHandsOnLosesNothingThatOthersSend(_: Int) async {
        let (host, sink) = await Maker().make()
        async let others: Void = withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<25 { sink.send(.increment) } } }
        }
        let user = Task {
            for _ in 0..<100 {
                host.rendering.sink.send(.increment)
                await Task.yield()
            }
            while host.rendering.count < 201 { await Task.yield() }
            return host.rendering.count
        }
        await others
        #expect(await user.value == 201)
    }

    @Test func aHostInAPropertyIsWokenOnTheActorThatUsesIt() async {
        let keeper = Keeper()
        let sink = await keeper.listen()
        let outcome = sink.send(.increment)
        #expect(outcome.brief == "queued")
        // Nobody uses the host meanwhile.
        await keeper.untilRendered(2)
        #expect(await keeper.count == 2)
    }

    @Test func actionsSentWhileAnotherThreadUsedTheHostWaitUntilItsActorUsesIt() async {
        let keeper = Keeper()
        let sink = await keeper.listen()
        #expect(keeper.host.rendering.count == 1)
        await Task.detached { _ = sink.send(.increment) }.value
        // A task of its own: this one used the host last, and does not look for others' messages.
        await Task.detached { await keeper.listenAgain() }.value
        await keeper.untilRendered(2)
    }

    @Test func aHostThatIsMadeOnTheMainThreadIsWokenThere() async {
        let counts = AsyncStream<Int>.makeStream()
        let made = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let host = unownedTally()
                host.onRendering = { counts.continuation.yield($0.count) }
                let isOnMainThread = Thread.isMainThread
                continuation.resume(returning: Made(host: host, isOnMainThread: isOnMainThread))
            }
        }
        // The main thread does not always serve the main queue.
        guard made.isOnMainThread else { return }
        let outcome = made.sink.send(.increment)
        #expect(outcome.brief == "queued")
        for await count in counts.stream {
            #expect(count == 1)
            break
        }
        await MainActor.run { made.host.shutDown() }
    }

    /// The thread that serves the main actor is not always the main one.
    @MainActor @Test func aHostThatIsMadeOnTheMainActorIsWokenThere() async {
        let host = unownedTally()
        let (counts, report) = AsyncStream<Int>.makeStream()
        host.onRendering = { report.yield($0.count) }
        let sink = host.rendering.sink
        Thread.detachNewThread { sink.send(.increment) }
        for await count in counts {
            #expect(count == 1)
            break
        }
    }

    @Test func aHostOutsideActorsTakesWhatItsThreadSendsOnTheMainActor() async {
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

    @Test func aHostOfTheMainThreadOutsideTasksTakesTheActionsOfTasksThere() async {
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

/// A host of the main thread; `@unchecked Sendable` because only that thread uses it.
private struct Made: @unchecked Sendable {
    let host: WorkflowHost<Tally>
    let sink: Sink<Tally.Action>
    let isOnMainThread: Bool

    init(host: WorkflowHost<Tally>, isOnMainThread: Bool) {
        (self.host, sink, self.isOnMainThread) = (host, host.rendering.sink, isOnMainThread)
    }
}

/// Keeps a host in a property whose initial value is made outside the actor.
private actor Keeper {
    nonisolated(unsafe) let host = unownedTally()
    private let (counts, report) = AsyncStream<Int>.makeStream()

    var count: Int { host.rendering.count }

    func listenAgain() {
        let report = report
        host.onRendering = { report.yield($0.count) }
    }

    func listen() -> Sink<Tally.Action> {
        listenAgain()
        host.rendering.sink.send(.increment)
        return host.rendering.sink
    }

    func untilRendered(_ wanted: Int) async {
        for await count in counts where count == wanted { break }
    }
}

/// Uses a host that no actor owns, and hands it on.
private actor Maker {
    func make() -> sending (WorkflowHost<Tally>, Sink<Tally.Action>) {
        let host = unownedTally()
        host.rendering.sink.send(.increment)
        return (host, host.rendering.sink)
    }
}

/// A host that no actor owns, wherever this is called.
private func unownedTally() -> WorkflowHost<Tally> { WorkflowHost(workflow: Tally()) }
