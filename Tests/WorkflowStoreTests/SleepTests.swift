import ClockPlugin
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowPlugins
import WorkflowStore

@Suite struct SleepTests {
    private let folder: Folder
    private let store: SQLiteSessionStore
    private let clock = TestClock(.held)
    private let time = SharedTime()
    private let opened = Ids()

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
        folder = try Folder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func pool(
        in store: (any SessionStore)? = nil,
        onNews: @escaping @Sendable (String, SessionNews) -> Void = { _, _ in },
        onSleep: (@Sendable (WakeUp) -> Void)?
    ) throws -> SessionPool {
        var options = FlowOptions()
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        options.clock = clock
        options.now = { [time] in time.milliseconds }
        options.limits.timeLimit = .unreached
        return SessionPool(
            in: store ?? self.store, limit: 1, threads: 2, onNews: onNews, onSleep: onSleep
        ) { [options, opened] id, _ in
            opened.add(id)
            return (Self.sleeper, options)
        }
    }

    private func fallAsleep(in pool: SessionPool) async throws {
        try await pool.use("a") { try await $0.send(["type": "sleep"]) }
        for await wait in clock.begun where wait == .seconds(86400) { break }
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
        // Its effects are in one change with its snapshot, so closing it stores nothing more.
        let version = try await store.summary(of: "a").version
        // It need not be woken any more.
        await pool.close()
        #expect(try await store.wakeUps() == [])
        #expect(try await store.summary(of: "a").version == version)
        #expect(try await store.load("a").snapshot.step == 2)
    }

    // MARK: Timers that need the session

    /// Waits for ten seconds while the session is open.
    private static let patient = FlowSource.text(
        """
        local Patient = { name = "patient", state = { rang = false, notes = 0 } }

        Patient.apply = {
            note = function(state) state.notes = state.notes + 1 end,
            ring = function(state) state.rang = true end,
        }

        function Patient.render(state, context)
            context:run("clock.after", { seconds = 10, restore = "remaining" }, { on_output = "ring" })
            return { rang = state.rang }
        end

        return Patient
        """, name: "patient.lua")

    /// The session is open from 0 to 1 s, from 6 to 7 s and from 10 to 12 s. It is sent an action
    /// half a second after each opening if `sends`, and not closed if `isKilled`.
    @Test(arguments: [(false, false, 6.0), (true, false, 6), (true, true, 8.5)])
    func theTimeThatIsLeftIsRightAfterAnyNumberOfRestores(
        _ sends: Bool, _ isKilled: Bool, _ left: Double
    ) async throws {
        var options = FlowOptions()
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        options.clock = clock
        options.now = { [time] in time.milliseconds }
        var waits = clock.begun.makeAsyncIterator()
        var killed: [StoredSession] = []
        for (opening, closing) in [(0, 1_000), (6_000, 7_000), (10_000, 12_000)] {
            time.milliseconds = 1_000 + opening
            let session = try await StoredSession.open(
                "a", of: Self.patient, in: store, options: options)
            _ = await waits.next()
            time.milliseconds += 500
            if sends { try await session.send(["type": "note"]) }
            time.milliseconds = 1_000 + closing
            if isKilled { killed.append(session) } else { try await session.close() }
        }
        time.milliseconds = 1_000_000
        let session = try await StoredSession.open(
            "a", of: Self.patient, in: store, options: options)
        #expect(await waits.next() == .seconds(left))
        try await session.close(within: .zero)
        // The store has another version by now.
        for session in killed { _ = try? await session.close(within: .zero) }
    }

    // MARK: A store that fails

    /// A pool whose session `a` was woken on time, and whose store holds back the resulting change.
    private func woken(
        in troubled: TroubledStore,
        onNews: @escaping @Sendable (String, SessionNews) -> Void = { _, _ in },
        onSleep: @escaping @Sendable (WakeUp) -> Void = { _ in }
    ) async throws -> SessionPool {
        let pool = try pool(in: troubled, onNews: onNews, onSleep: onSleep)
        try await fallAsleep(in: pool)
        try await pool.use("b") { _ in }
        time.milliseconds = 1_000 + 86_400_000
        troubled.hold()
        try await pool.resume("a") { _ in }
        await troubled.untilHeld()
        return pool
    }

    /// Waits for the session's pause before another try. Its workers end within 2 seconds.
    private func untilPaused() async {
        for await wait in clock.begun where wait < .seconds(2) { break }
    }

    @Test(.timeLimit(.minutes(15)))
    func aDueTimerIsTriedAgainAfterAPauseWhileItsChangeCannotBeStored() async throws {
        let troubled = TroubledStore(store)
        let pool = try await woken(in: troubled)
        let count = troubled.appendCount
        troubled.failAppends(StoreError(.full, "there is no space left"))
        troubled.release()
        await untilPaused()
        #expect(troubled.appendCount <= count + 3)
        troubled.failAppends(nil)
        try await pool.use("a") { session in
            try await session.untilIdle()
            #expect(await session.rendering["days"] == 1)
        }
        await pool.close(within: .zero)
    }

    @Test(.timeLimit(.minutes(15)))
    func aSessionThatCannotBeLoadedAgainIsLoadedLaterByItself() async throws {
        let troubled = TroubledStore(store)
        let kept = AsyncStream<Int>.makeStream()
        let pool = try await woken(
            in: troubled, onNews: { if $0 == "a" { kept.continuation.yield($1.moment.step) } })
        troubled.failAppends(StoreError(.busy, "somebody else is at it"))
        troubled.failLoads(StoreError(.busy, "somebody else is at it"))
        troubled.release()
        await untilPaused()
        troubled.failAppends(nil)
        troubled.failLoads(nil)
        clock.open()
        for await step in kept.stream where step == 2 { break }
        #expect(try await store.wakeUps() == [])
        await pool.close(within: .zero)
    }

    @Test(.timeLimit(.minutes(15)))
    func aSessionThatIsClosedBeforeItCouldBeLoadedAgainIsWoken() async throws {
        let troubled = TroubledStore(store)
        let slept = Mutex<[WakeUp]>([])
        let pool = try await woken(
            in: troubled, onSleep: { wakeUp in slept.withLock { $0.append(wakeUp) } })
        troubled.failAppends(StoreError(.busy, "somebody else is at it"))
        troubled.failLoads(StoreError(.busy, "somebody else is at it"))
        troubled.release()
        await untilPaused()
        troubled.failAppends(nil)
        await pool.close("a")
        let wakeUps = try await store.wakeUps()
        #expect(wakeUps.count == 1)
        #expect(slept.withLock { $0 } == wakeUps + wakeUps)
        await pool.close(within: .zero)
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
