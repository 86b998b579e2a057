import Foundation
import Synchronization
import Testing

@testable import Workflow

private struct Totals: Workflow {
    var limit: Int
    var counts: Counts

    struct State: Equatable {
        var applied = 0
        var mostAhead = 0
    }

    struct Rendering {
        var state: State
        var sink: Sink<Action>
    }

    enum Action: WorkflowAction, Sendable {
        case count

        func apply(toState state: inout State, context: ApplyContext<Totals>) -> Never? {
            state.applied += 1
            context.workflow.counts.add(applied: 1)
            let ahead = context.workflow.counts.produced - state.applied
            state.mostAhead = max(state.mostAhead, ahead)
            return nil
        }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Totals>) -> Rendering {
        if state.applied < limit {
            for key in ["a", "b"] {
                Endless(counts: counts).mapOutput { Action.count }.running(in: context, key: key)
            }
        }
        return Rendering(state: state, sink: context.makeSink(of: Action.self))
    }
}

private final class Counts: Sendable {
    private let both = Mutex((produced: 0, applied: 0))

    var produced: Int { both.withLock { $0.produced } }
    var applied: Int { both.withLock { $0.applied } }

    func add(produced: Int = 0, applied: Int = 0) {
        both.withLock { $0 = ($0.produced + produced, $0.applied + applied) }
    }
}

private struct Endless: StreamingWorker, AsyncSequence, AsyncIteratorProtocol {
    typealias Output = Void
    var counts: Counts

    func run() -> Endless { self }
    func makeAsyncIterator() -> Endless { self }
    func isEquivalent(to otherWorker: Endless) -> Bool { true }

    mutating func next() async throws -> Void? {
        if Task.isCancelled { return nil }
        counts.add(produced: 1)
        return ()
    }
}

/// A sequence that never ends, whatever becomes of its reader.
private struct Deaf: StreamingWorker, AsyncSequence, AsyncIteratorProtocol {
    typealias Output = Void
    /// Says when its last copy is gone.
    final class Life: Sendable {
        let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }
    let life: Life

    func run() -> Deaf { self }
    func makeAsyncIterator() -> Deaf { self }
    func isEquivalent(to otherWorker: Deaf) -> Bool { true }
    mutating func next() async throws -> Void? { () }
}

@Suite struct FairnessTests {
    @Test func aStoppedWorkerReadsNoSequenceThatGoesOn() async {
        await withCheckedContinuation { continuation in
            Task { @MainActor in
                let life = Deaf.Life { continuation.resume() }
                let host = WorkflowHost(
                    workflow: Inline<Void> { _, context in
                        Deaf(life: life).mapOutput { Inline<Void>.Action.set(1) }
                            .running(in: context)
                    })
                host.shutDown()
            }
        }
    }

    @Test func aQueueThatIsNeverEmptyKeepsNoPlacesOfWhatWasInIt() {
        var queue = EnvelopeQueue()
        for _ in 0..<100 { queue.append(Envelope()) }
        for number in 0..<100_000 {
            let envelope = Envelope()
            queue.append(envelope)
            if number % 7 != 0 { _ = queue.popFirst() }
            while queue.count > 100 { _ = queue.popFirst() }
        }
        #expect(queue.count == 100)
        #expect(queue.capacity <= 1000)
    }

    @Test func othersGetTheirTurnBesideWorkersThatNeverPause() async {
        let executor = SteppedExecutor()
        let owner = SteppedActor<Totals>(executor)
        let counts = Counts()
        async let start: Void = owner.start(Totals(limit: 5000, counts: counts)) { _ in }
        await executor.runNext()
        await start
        while counts.applied < 5000 {
            let before = counts.applied
            await executor.runNext()
            #expect(counts.applied - before <= 64)
        }
        let last = Mutex<Totals.State?>(nil)
        async let end: Void = owner.perform { host in
            last.withLock { $0 = host.rendering.state }
            host.shutDown()
        }
        while last.withLock({ $0 }) == nil { await executor.runNext() }
        await end
        // One output of each worker waits, and each may have made another one.
        #expect(last.withLock { $0?.mostAhead ?? .max } <= 4)
    }

    @Test func anOwnerThatIsWokenTakesAPartOfWhatWaits() async throws {
        let executor = SteppedExecutor()
        let owner = SteppedActor<Totals>(executor)
        let counts = Counts()
        let sinks = Mutex<[Sink<Totals.Action>]>([])
        async let start: Void = owner.start(Totals(limit: 0, counts: counts)) { host in
            sinks.withLock { $0 = [host.rendering.sink] }
        }
        await executor.runNext()
        await start
        let sink = try #require(sinks.withLock { $0.first })
        for _ in 0..<1000 { sink.send(.count) }
        #expect(counts.applied == 0)
        while counts.applied < 1000 {
            let before = counts.applied
            await executor.runNext()
            #expect((1...64).contains(counts.applied - before))
        }
        async let end: Void = owner.perform { $0.shutDown() }
        await executor.runNext()
        await end
    }

    @Test func aReadOfAHostWithoutAnActorReturnsHoweverMuchIsSent() {
        let counts = Counts()
        let host = WorkflowHost(
            workflow: Totals(limit: 0, counts: counts), options: HostOptions(onReport: { _ in }))
        let sink = host.rendering.sink
        // The thread stops when the host refuses.
        Thread { while case .queued = sink.send(.count) {} }.start()
        while host.rendering.state.applied < 1000 {}
        host.shutDown()
    }
}
