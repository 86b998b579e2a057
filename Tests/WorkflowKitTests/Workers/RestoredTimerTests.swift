import ClockPlugin
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite struct RestoredTimerTests {
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

    private func options(at seconds: Int, _ clock: TestClock) throws -> FlowOptions {
        var options = FlowOptions(now: { (1_000_000 + seconds) * 1000 })
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        options.clock = clock
        return options
    }

    @Test(arguments: [
        ("", 10.0), ("restore = \"deadline\"", 10), ("restore = \"remaining\"", 40),
        ("restore = \"restart\"", 60),
    ]) func aTimerWaitsAsItsPolicySays(_ policy: String, _ wait: Double) async throws {
        let time = Atomic(0)
        var options = try options(at: 0, TestClock(.held))
        options.now = { (1_000_000 + time.load(ordering: .relaxed)) * 1000 }
        let session = try await FlowSession.open(source(policy), options: options)
        time.store(20, ordering: .relaxed)
        let text = try await session.snapshot().json
        await session.close()

        let clock = TestClock(.eager)
        let restored = try await FlowSession.open(
            source(policy), options: try self.options(at: 50, clock),
            restoring: FlowSnapshot(document: Value(json: text)))
        await restored.untilIdle()
        #expect(await restored.rendering["rang"] == true)
        #expect(clock.deadlines == [.seconds(wait)])
        await restored.close()
    }

    /// Plays parts of a session, from second to second, and opens it once more on `clock`.
    private func restored(
        _ source: FlowSource, after parts: [(open: Int, close: Int)], at end: Int,
        on clock: TestClock
    ) async throws -> FlowSession {
        var snapshot: FlowSnapshot?
        for (open, close) in parts {
            let time = Atomic(open)
            var options = try options(at: open, TestClock(.held))
            options.now = { (1_000_000 + time.load(ordering: .relaxed)) * 1000 }
            let session = try await FlowSession.open(source, options: options, restoring: snapshot)
            time.store(close, ordering: .relaxed)
            let text = try await session.snapshot().json
            await session.close()
            snapshot = try FlowSnapshot(json: text.utf8)
        }
        return try await FlowSession.open(
            source, options: options(at: end, clock), restoring: snapshot)
    }

    @Test(arguments: [
        ("deadline", 2, [20.0]), ("remaining", 2, [40]), ("restart", 2, [60]),
        ("deadline", 3, []), ("remaining", 3, [30]), ("restart", 3, [60]),
    ])
    func aTimerIsRightAfterAnyNumberOfRestores(
        _ policy: String, _ count: Int, _ waits: [Double]
    ) async throws {
        // Each part lasts 10 seconds.
        let parts = [(0, 10), (15, 25), (30, 40)].prefix(count)
        let clock = TestClock(.eager)
        let session = try await restored(
            source("restore = \"\(policy)\""), after: Array(parts), at: count == 2 ? 40 : 90,
            on: clock)
        await session.untilIdle()
        #expect(await session.rendering["rang"] == true)
        #expect(clock.deadlines == waits.map { .seconds($0) })
        await session.close()
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
        let before = TestClock(.held)
        let session = try await FlowSession.open(source, options: try options(at: 0, before))
        let snapshot = try await session.snapshot()
        #expect(await session.dormantUntil == nil)
        try await session.send("start")
        while before.deadlines.isEmpty { await Task.yield() }
        #expect(await session.dormantUntil == 1_000_060_000)
        let inputs = await session.inputs
        await session.close()

        let clock = TestClock(.eager)
        let restored = try await FlowSession.open(
            source, options: try options(at: after, clock), restoring: snapshot, replaying: inputs)
        await restored.untilIdle()
        #expect(await restored.rendering["rang"] == true)
        #expect(clock.deadlines == waits.map { .seconds($0) })
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
            source, options: try options(at: 0, TestClock(.held)))
        let snapshot = try await session.snapshot()
        await session.close()
        let clock = TestClock(.eager)
        let restored = try await FlowSession.open(
            source, options: try options(at: 130, clock), restoring: snapshot)
        await restored.untilIdle()
        #expect(await restored.rendering["ticks"] == [2, 3])
        await restored.close()
    }

    /// The period is 60 seconds, of which both parts take 10.
    @Test(arguments: [
        ("remaining", 40, [40.0, 100]), ("remaining", 500, [40, 100]), ("deadline", 40, [20, 80]),
        // The first tick comes at once.
        ("deadline", 70, [50]), ("restart", 500, [60, 120]),
    ])
    func ticksAreRightAfterTwoRestores(
        _ policy: String, _ end: Int, _ waits: [Double]
    ) async throws {
        let source = FlowSource.text(
            """
            return {
                state = { ticks = {} },
                apply = {
                    tick = function(state, action) table.insert(state.ticks, action.output.tick) end,
                },
                render = function(state, context)
                    if #state.ticks < 2 then
                        context:run(
                            "clock.every", { seconds = 60, restore = "\(policy)" }, { on_output = "tick" })
                    end
                    return { ticks = state.ticks }
                end,
            }
            """)
        let clock = TestClock(.eager)
        let session = try await restored(source, after: [(0, 10), (15, 25)], at: end, on: clock)
        await session.untilIdle()
        #expect(await session.rendering["ticks"] == [1, 2])
        #expect(Array(clock.deadlines.prefix(waits.count)).map { $0 / .seconds(1) } == waits)
        await session.close()
    }

    @Test func aTickThatCameInAnEarlierPartDoesNotComeAgain() async throws {
        let source = FlowSource.text(
            """
            return {
                render = function(state, context)
                    context:run("clock.every", { seconds = 60 }, { on_output = function() end })
                end,
            }
            """)
        // The tick at 60 s came in the second part.
        let clock = TestClock(.held)
        let session = try await restored(source, after: [(0, 10), (50, 65)], at: 80, on: clock)
        while clock.deadlines.isEmpty { await Task.yield() }
        #expect(clock.deadlines == [.seconds(40)])
        #expect(await session.stepCount == 0)
        await session.close()
    }

    @Test func aTimerThatWaitsForTheRestNeedsTheSession() async throws {
        let clock = TestClock(.held)
        let session = try await FlowSession.open(
            source("restore = \"remaining\""), options: try options(at: 0, clock))
        while clock.deadlines.isEmpty { await Task.yield() }
        #expect(await session.dormantUntil == nil)
        await session.close()
    }

    @Test func aTimerWhoseMomentIsOverRingsAtOnce() async throws {
        let session = try await FlowSession.open(
            source(""), options: try options(at: 0, TestClock(.held)))
        let snapshot = try await session.snapshot()
        await session.close()
        let clock = TestClock(.eager)
        let restored = try await FlowSession.open(
            source(""), options: try options(at: 500, clock), restoring: snapshot)
        await restored.untilIdle()
        #expect(await restored.rendering["rang"] == true)
        #expect(clock.deadlines == [])
        await restored.close()
    }
}
