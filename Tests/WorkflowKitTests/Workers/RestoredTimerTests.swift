import Clock
import PlainValue
import Synchronization
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// Timers of a session that goes on from a snapshot.
@Suite struct RestoredTimerTests {
    /// A clock that notes how long it is to wait, and waits no time or for ever.
    private final class Patience: Clock, Sendable {
        typealias Instant = ContinuousClock.Instant
        private let ends: Bool
        private let start = ContinuousClock.now
        private let waits = Mutex<[Duration]>([])

        init(ends: Bool) { self.ends = ends }

        var now: Instant { start }
        var minimumResolution: Duration { .zero }
        var all: [Duration] { waits.withLock { $0 } }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            waits.withLock { $0.append(start.duration(to: deadline)) }
            if ends { return }
            let (stream, end) = AsyncStream<Never>.makeStream()
            await withTaskCancellationHandler {
                for await _ in stream {}
            } onCancel: {
                end.finish()
            }
            throw CancellationError()
        }
    }

    private func source(_ policy: String) -> FlowSource {
        .text(
            """
            return {
                state = { rang = false },
                apply = { ring = function(state) state.rang = true end },
                render = function(state, context)
                    context:run("clock.after", { seconds = 60, \(policy) }, { on_output = "ring" })
                    return { rang = state.rang }
                end,
            }
            """)
    }

    private func options(
        at seconds: Int, _ clock: Patience
    ) throws -> FlowOptions {
        var options = FlowOptions(now: { (1_000_000 + seconds) * 1000 })
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        options.clock = clock
        return options
    }

    @Test(arguments: [
        ("", 10.0), ("restore = \"deadline\"", 10), ("restore = \"remaining\"", 40),
        ("restore = \"restart\"", 60),
    ])
    func aTimerWaitsAsItsPolicySays(_ policy: String, _ wait: Double) async throws {
        let time = Atomic(0)
        var options = try options(at: 0, Patience(ends: false))
        options.now = { (1_000_000 + time.load(ordering: .relaxed)) * 1000 }
        let session = try await FlowSession.open(source(policy), options: options)
        time.store(20, ordering: .relaxed)
        let text = try await session.snapshot().json
        await session.close()

        let patience = Patience(ends: true)
        let restored = try await FlowSession.open(
            source(policy), options: try self.options(at: 50, patience),
            restoring: FlowSnapshot(document: Value(json: text)))
        await restored.untilIdle()
        #expect(await restored.rendering["rang"] == true)
        #expect(patience.all == [.seconds(wait)])
        await restored.close()
    }

    @Test func aTimerWhoseMomentIsOverRingsAtOnce() async throws {
        let session = try await FlowSession.open(
            source(""), options: try options(at: 0, Patience(ends: false)))
        let snapshot = try await session.snapshot()
        await session.close()
        let patience = Patience(ends: true)
        let restored = try await FlowSession.open(
            source(""), options: try options(at: 500, patience), restoring: snapshot)
        await restored.untilIdle()
        #expect(await restored.rendering["rang"] == true)
        #expect(patience.all == [])
        await restored.close()
    }
}
