import Clock
import PlainValue
import Synchronization
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// Timers of a session that is resumed from a snapshot.
@Suite struct RestoredTimerTests {
    /// A clock that records waits, and waits either no time or for ever.
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

    /// A session whose timer of 60 seconds was started by a replayed input.
    @Test(arguments: [(40, [20.0]), (90, [])])
    func aTimerOfAnInputGoesOn(_ after: Int, _ waits: [Double]) async throws {
        let source = FlowSource.text(
            """
            return {
                state = {},
                apply = {
                    start = function(state) state.runs = true end,
                    ring = function(state) state.rang = true end,
                },
                render = function(state, context)
                    if state.runs and not state.rang then
                        context:run("clock.after", { seconds = 60 }, { on_output = "ring" })
                    end
                    return { rang = state.rang }
                end,
            }
            """)
        let before = Patience(ends: false)
        let session = try await FlowSession.open(source, options: try options(at: 0, before))
        let snapshot = try await session.snapshot()
        #expect(await session.dormantUntil == nil)
        try await session.send("start")
        while before.all.isEmpty { await Task.yield() }
        #expect(await session.dormantUntil == 1_000_060_000)
        let inputs = await session.inputs
        await session.close()

        let patience = Patience(ends: true)
        let restored = try await FlowSession.open(
            source, options: try options(at: after, patience), restoring: snapshot,
            replaying: inputs)
        await restored.untilIdle()
        #expect(await restored.rendering["rang"] == true)
        #expect(patience.all == waits.map { .seconds($0) })
        #expect(await restored.dormantUntil == nil)
        await restored.close()
    }

    @Test func aTickThatWasDueMeanwhileComesAtOnce() async throws {
        let source = FlowSource.text(
            """
            return {
                state = { ticks = {} },
                apply = {
                    tick = function(state, action) table.insert(state.ticks, action.output.tick) end,
                },
                render = function(state, context)
                    if #state.ticks < 2 then
                        context:run("clock.every", { seconds = 60 }, { on_output = "tick" })
                    end
                    return { ticks = state.ticks }
                end,
            }
            """)
        let session = try await FlowSession.open(
            source, options: try options(at: 0, Patience(ends: false)))
        let snapshot = try await session.snapshot()
        await session.close()
        let patience = Patience(ends: true)
        let restored = try await FlowSession.open(
            source, options: try options(at: 130, patience), restoring: snapshot)
        await restored.untilIdle()
        #expect(await restored.rendering["ticks"] == [2, 3])
        await restored.close()
    }

    @Test func aTimerThatWaitsForTheRestNeedsTheSession() async throws {
        let patience = Patience(ends: false)
        let session = try await FlowSession.open(
            source("restore = \"remaining\""), options: try options(at: 0, patience))
        while patience.all.isEmpty { await Task.yield() }
        #expect(await session.dormantUntil == nil)
        await session.close()
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
