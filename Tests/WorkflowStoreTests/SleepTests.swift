import Clock
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowPlugins
import WorkflowStore

/// A clock on which nobody comes to the end of a wait; tells of each who waits.
private struct StandingClock: Clock {
    typealias Instant = ContinuousClock.Instant

    let waits: AsyncStream<Void>
    private let report: AsyncStream<Void>.Continuation
    private let never = AsyncStream<Never>.makeStream()

    init() { (waits, report) = AsyncStream.makeStream() }

    var now: Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        report.yield()
        for await _ in never.stream {}
        try Task.checkCancellation()
    }
}

@Suite struct SleepTests {
    private let folder: TemporaryFolder
    private let store: SQLiteSessionStore
    private let clock = StandingClock()
    private let time = SharedTime()
    private let opened = Ids()

    /// Is woken a day after it was told to sleep.
    private static let sleeper = FlowSource.text(
        """
        local Sleeper = { name = "sleeper", state = { is_asleep = false, days = 0 } }

        Sleeper.apply = {
            sleep = function(state) state.is_asleep = true end,
            wake = function(state) state.is_asleep, state.days = false, state.days + 1 end,
        }

        function Sleeper.render(state, context)
            if state.is_asleep then
                context:run("clock.after", { seconds = 86400 }, { on_output = "wake" })
            end
            return { days = state.days }
        end

        return Sleeper
        """, name: "sleeper.lua")

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func pool(onSleep: (@Sendable (WakeUp) -> Void)?) throws -> SessionPool {
        var options = FlowOptions()
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        options.clock = clock
        options.now = { [time] in time.milliseconds }
        options.limits.timeLimit = .unreached
        return SessionPool(in: store, limit: 1, threads: 2, onSleep: onSleep) {
            [options, opened] id, _ in
            opened.add(id)
            return (Self.sleeper, options)
        }
    }

    private func fallAsleep(in pool: SessionPool) async throws {
        try await pool.use("a") { try await $0.send(["type": "sleep"]) }
        for await _ in clock.waits { break }
    }

    @Test func aSessionThatWaitsForATimeIsClosedAndGoesOnThen() async throws {
        let slept = Mutex<[WakeUp]>([])
        let pool = try pool(onSleep: { wakeUp in slept.withLock { $0.append(wakeUp) } })
        try await fallAsleep(in: pool)
        try await pool.use("b") { _ in }
        #expect(await pool.openCount == 1)
        let summary = try await store.summary(of: "a")
        let wakeUp = WakeUp(number: summary.number, milliseconds: 1_000 + 86_400_000)
        #expect(slept.withLock { $0 } == [wakeUp])
        #expect(try await store.wakeUps() == [wakeUp])
        time.milliseconds = wakeUp.milliseconds
        try await pool.resume("a") { session in
            try await session.untilIdle()
            #expect(await session.rendering["days"] == 1)
        }
        // It need not be woken any more.
        await pool.close()
        #expect(try await store.wakeUps() == [])
    }

    @Test func withoutAnybodyToWakeItASessionThatWaitsStaysOpen() async throws {
        let pool = try pool(onSleep: nil)
        try await fallAsleep(in: pool)
        try await pool.use("b") { _ in }
        try await pool.use("c") { _ in }
        try await pool.use("a") { _ in }
        #expect(opened.all == ["a", "b", "c"])
        await pool.close(within: .zero)
    }
}

private final class Ids: Sendable {
    private let stored = Mutex<[String]>([])

    var all: [String] { stored.withLock { $0 } }

    func add(_ id: String) { stored.withLock { $0.append(id) } }
}

private final class SharedTime: Sendable {
    private let stored = Mutex(1_000)

    var milliseconds: Int {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
