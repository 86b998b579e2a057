import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkflowKit

@testable import WorkflowPostgreSQL
@testable import WorkflowStore

/// Hosts on one store. On any machine each is in time, unless a test sets when it was last seen.
@Suite struct StoreHostTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @discardableResult private func begin(
        _ id: String, in store: any SharedSessionStore, wakeAt: Int?
    ) async throws -> WakeUp {
        let summary = try await store.create(
            NewSession(
                id: id, flow: "diary", document: snapshot(0), wakeAt: wakeAt, milliseconds: 1000))
        return WakeUp(number: summary.number, milliseconds: wakeAt ?? 0)
    }

    private func append(
        to id: String, in store: any SharedSessionStore, wakeAt: Int?
    ) async throws {
        let summary = try await store.summary(of: id)
        _ = try await store.append(
            SessionChange(
                keeping: summary.stepCount, inputs: [input(summary.stepCount + 1)],
                step: summary.stepCount + 1, wakeAt: wakeAt, milliseconds: 2000),
            to: id, expecting: summary.version)
    }

    @Test(arguments: SharedStoreKind.allCases)
    func aSessionWithWorkersIsHeldByTheHostThatStoredItLast(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        try await begin("works", in: one, wakeAt: 0)
        try await begin("rests", in: one, wakeAt: 5000)
        try await begin("idle", in: one, wakeAt: nil)
        for id in ["works", "rests"] {
            #expect(try await one.summary(of: id).holder == nil)
            #expect(try await two.summary(of: id).holder != nil)
            #expect(try await two.load(id).summary.holder != nil)
        }
        #expect(try await two.summary(of: "idle").holder == nil)
        try await append(to: "works", in: two, wakeAt: 0)
        #expect(try await one.summary(of: "works").holder != nil)
        #expect(try await two.summary(of: "works").holder == nil)
        try await append(to: "works", in: one, wakeAt: nil)
        #expect(try await two.summary(of: "works").holder == nil)
        // A process that is not a host runs what it opens.
        let reader = try await shared.open()
        #expect(try await reader.summary(of: "rests").holder == nil)
    }

    @Test(arguments: SharedStoreKind.allCases)
    func sessionsOfAHostThatLeavesAreTakenOverAtTheNextBeat(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let left = [
            try await begin("works", in: one, wakeAt: 0),
            try await begin("rests", in: one, wakeAt: 5000),
        ]
        try await begin("idle", in: one, wakeAt: nil)
        try await begin("own", in: two, wakeAt: 0)
        #expect(try await two.beat() == StoreBeat())
        try await one.leave()
        #expect(Set(try await two.beat().taken) == Set(left))
        #expect(try await two.summary(of: "works").holder == nil)
        #expect(try await two.beat() == StoreBeat())
        // The next host finds them held.
        let three = try await shared.host()
        #expect(try await three.summary(of: "rests").holder != nil)
    }

    @Test(arguments: SharedStoreKind.allCases)
    func sessionsOfAKilledHostAreTakenOverAlsoByALaterHost(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let one = try await shared.host()
        let left = try await begin("works", in: one, wakeAt: 0)
        try await shared.age(one)
        let two = try await shared.open()
        #expect(try await two.beat() == StoreBeat(taken: [left]))
        #expect(try await shared.census().epochs.sorted() == [1, 2])
    }

    @Test(arguments: SharedStoreKind.allCases)
    func aHostThatBeatsTooLateLearnsThatItLostItsSessions(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let session = try await begin("works", in: one, wakeAt: 0)
        try await shared.age(one)
        #expect(try await two.beat().taken == [session])
        // What it stores meanwhile leaves the session with the other one, which is told.
        try await append(to: "works", in: one, wakeAt: 0)
        #expect(try await shared.census().orphans == 0)
        #expect(try await two.summary(of: "works").holder == nil)
        #expect(try await two.beat() == StoreBeat(changed: [session.number]))
        #expect(try await one.beat() == StoreBeat(wasLate: true))
        #expect(try await one.summary(of: "works").holder != nil)
        #expect(try await one.beat() == StoreBeat())
    }

    @Test(arguments: SharedStoreKind.allCases)
    func aHostThatWasStoppedLetsOthersBeatBeforeItTakesOver(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let session = try await begin("works", in: one, wakeAt: 0)
        try await shared.age(one)
        try await shared.age(two)
        #expect(try await two.beat() == StoreBeat())
        #expect(try await one.beat() == StoreBeat())
        try await shared.age(two)
        try await one.leave()
        #expect(try await two.beat() == StoreBeat(taken: [session]))
    }

    @Test(arguments: SharedStoreKind.allCases)
    func howeverManyHostsComeAndGoOnlyThoseThatBeatHaveRows(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        var last = try await shared.host()
        for _ in 0..<20 {
            let next = try await shared.host()
            try await begin("\(try await next.list().sessions.count)", in: next, wakeAt: 0)
            try await last.leave()
            _ = try await next.beat()
            last = next
        }
        #expect(try await shared.census().hosts == 1)
        for session in try await last.list().sessions {
            try await append(to: session.id, in: last, wakeAt: nil)
        }
        _ = try await last.beat()
        #expect(try await shared.census().epochs.count == 1)
        if let file = last as? SQLiteSessionStore { #expect(try await file.check() == []) }
    }

    @Test(arguments: SharedStoreKind.allCases)
    func theSessionsOfAnOlderStoreAreTakenOver(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let old = try await shared.open()
        let session = try await begin("works", in: old, wakeAt: 0)
        let one = try await shared.open()
        #expect(try await one.beat().taken == [session])
        #expect(try await shared.host().summary(of: "works").holder != nil)
    }

    @Test(arguments: SharedStoreKind.allCases)
    func aHostLearnsWhichOfItsSessionsOthersChangeOrDelete(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        for id in ["same", "changed", "deleted"] { try await begin(id, in: one, wakeAt: nil) }
        let versions = ["same": 1, "changed": 1, "deleted": 1]
        #expect(try await one.changed(since: versions) == [])
        try await append(to: "changed", in: two, wakeAt: nil)
        try await two.delete("deleted")
        #expect(try await one.changed(since: versions).sorted() == ["changed", "deleted"])
        #expect(try await one.changed(since: [:]) == [])
    }

    @Test(arguments: SharedStoreKind.allCases.filter { $0 != .sqlite })
    func afterAnUnknownOutcomeAHostLearnsOfAllItsSessions(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let own = [
            try await begin("works", in: one, wakeAt: 0),
            try await begin("rests", in: one, wakeAt: 5000),
        ]
        try await begin("idle", in: one, wakeAt: nil)
        try await begin("another's", in: two, wakeAt: 0)
        #expect(try await one.beat() == StoreBeat())
        (one as? PostgreSQLSessionStore)?.host.noteLostAnswer()
        (one as? MemorySessionStore)?.noteLostAnswer()
        #expect(Set(try await one.beat().taken) == Set(own))
        #expect(try await one.beat() == StoreBeat())
    }

    // MARK: Sessions

    @Test(arguments: SharedStoreKind.allCases)
    func lookingStartsNoWorkerOfAnotherHostAndStoresNothing(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let (startedOne, startedTwo) = (StartedWorkers(), StartedWorkers())
        let first = SessionPool(in: one) { _, _ in (.follower, try startedOne.options()) }
        let second = SessionPool(in: two, onSleep: { _ in }) { _, _ in
            (.follower, try startedTwo.options())
        }
        try await first.use("a") { try await $0.send(["type": "follow", "last": 9]) }
        await startedOne.untilStarted(1)
        let version = try await one.summary(of: "a").version
        for _ in 0..<3 {
            try await second.resume("a") { session in
                let moments = [try await session.moment(), try await session.moment(at: 0)]
                #expect(moments.allSatisfy { $0.rendering["entries"] == [] })
            }
            await second.close("a")
            #expect(await second.openCount == 0)
        }
        #expect(startedTwo.count == 0)
        #expect(try await two.summary(of: "a").version == version)

        // The second one goes on when the first one ends, with the session open or not.
        try await second.resume("a") { _ = await $0.step }
        await first.close(within: .zero)
        try await one.leave()
        let taken = try await two.beat().taken
        #expect(taken.count == 1)
        try await second.wake("a")
        await startedTwo.untilStarted(1)
        await second.close(within: .zero)
    }

    @Test(arguments: SharedStoreKind.allCases)
    func workersGoOnWhileAnotherHostChangesTheirSession(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let (startedOne, startedTwo) = (StartedWorkers(), StartedWorkers())
        let first = SessionPool(in: one) { _, _ in (.follower, try startedOne.options()) }
        let second = SessionPool(in: two) { _, _ in (.follower, try startedTwo.options()) }
        try await first.use("a") { try await $0.send(["type": "follow", "last": 8]) }
        await startedOne.untilStarted(1)
        // This keeps the worker.
        try await second.resume("a") { try await $0.send(["type": "follow", "last": 9]) }
        #expect(try await two.summary(of: "a").holder != nil)
        let changed = try await one.beat().changed
        #expect(changed.count == 1)
        try await first.wake("a")
        #expect(try await first.resume("a") { await $0.step } == 2)
        #expect(try await one.beat().changed == [])
        // Without a beat, the next call finds it.
        try await second.resume("a") { try await $0.send(["type": "follow", "last": 7]) }
        _ = try await one.beat()
        let moment = try await first.resume("a") { session in
            try await session.send(["type": "follow", "last": 6])
        }
        #expect(moment.step == 4)
        // The other one knows when it changes it again.
        try await second.resume("a") { session in
            try await session.refresh()
            try await session.send(["type": "follow", "last": 0])
        }
        try await first.wake("a")
        await startedOne.untilCancelled(1)
        #expect((startedOne.count, startedTwo.count) == (1, 0))
        #expect(try await one.summary(of: "a").wakeAt == nil)
        for pool in [first, second] { await pool.close(within: .zero) }
    }

    @Test(arguments: SharedStoreKind.allCases)
    func whatAWorkerGaveIsKeptAndItIsNotRestartedWhenAnotherHostWasFirst(_ kind: SharedStoreKind)
        async throws
    {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let held = HeldWorker()
        let first = SessionPool(in: one) { _, _ in (.follower, try held.options()) }
        let second = SessionPool(in: two) { _, _ in (.follower, try held.options()) }
        try await first.use("a") { try await $0.send(["type": "follow", "last": 1]) }
        await held.untilStarted()
        try await second.resume("a") { try await $0.send(["type": "follow", "last": 1]) }
        held.end()
        try await first.resume("a") { session in
            while await session.rendering["entries"] != [1] { await Task.yield() }
        }
        #expect(held.count == 1)
        #expect(try await one.summary(of: "a").stepCount == 3)
        for pool in [first, second] { await pool.close(within: .zero) }
    }

    @Test(arguments: SharedStoreKind.allCases)
    func aHostWhoseSessionsWereTakenOverStopsTheirWorkers(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let (one, two) = (try await shared.host(), try await shared.host())
        let started = StartedWorkers()
        let pool = SessionPool(in: one) { _, _ in (.follower, try started.options()) }
        try await pool.use("a") { try await $0.send(["type": "follow", "last": 9]) }
        await started.untilStarted(1)
        try await shared.age(one)
        _ = try await two.beat()
        #expect(try await one.beat().wasLate)
        await pool.yieldWorkers()
        await started.untilCancelled(1)
        #expect(started.count == 1)
        await pool.close(within: .zero)
    }

    @Test(arguments: SharedStoreKind.allCases)
    func aHostThatMayHaveLostItsSessionsSuspendsTheirWorkers(_ kind: SharedStoreKind) async throws {
        let shared = try SharedStore(kind, in: folder)
        let one = try await shared.host()
        let started = StartedWorkers()
        let pool = SessionPool(in: one) { _, _ in (.follower, try started.options()) }
        try await pool.use("works") { try await $0.send(["type": "follow", "last": 9]) }
        try await pool.use("rests") { _ = await $0.step }
        await started.untilStarted(1)
        await pool.suspendWorkers()
        await started.untilCancelled(1)
        // What is asked meanwhile is done, and starts none.
        for session in ["works", "rests", "new"] {
            try await pool.use(session) { try await $0.send(["type": "follow", "last": 9]) }
        }
        await #expect(throws: StoreError.self) { try await pool.wake("works") }
        #expect(started.count == 1)
        await pool.resumeWorkers()
        await started.untilStarted(4)
        #expect(started.count == 4)
        await pool.close(within: .zero)
    }
}

/// Counts the workers that were started, which wait until they are cancelled.
private final class StartedWorkers: Sendable {
    private let counts = Mutex((started: 0, cancelled: 0))
    private let changes = AsyncStream<Void>.makeStream()

    var count: Int { counts.withLock(\.started) }

    func options() throws -> FlowOptions {
        try .test(onStart: { [self] _ in
            change { $0.started += 1 }
            let never = AsyncStream<Never>.makeStream()
            for await _ in never.stream {}
            change { $0.cancelled += 1 }
        })
    }

    func untilStarted(_ count: Int) async { await until { $0.started >= count } }
    func untilCancelled(_ count: Int) async { await until { $0.cancelled >= count } }

    private func change(_ body: (inout (started: Int, cancelled: Int)) -> Void) {
        counts.withLock { body(&$0) }
        changes.continuation.yield()
    }

    private func until(_ holds: ((started: Int, cancelled: Int)) -> Bool) async {
        if counts.withLock({ holds($0) }) { return }
        for await _ in changes.stream where counts.withLock({ holds($0) }) { return }
    }
}

/// A worker that gives its output when it is told to. Counts how often it was started.
private final class HeldWorker: Sendable {
    private let started = AsyncStream<Void>.makeStream()
    private let ended = AsyncStream<Never>.makeStream()
    private let starts = Mutex(0)

    var count: Int { starts.withLock(\.self) }

    func options() throws -> FlowOptions {
        try .test(onStart: { [self] _ in
            starts.withLock { $0 += 1 }
            started.continuation.yield()
            for await _ in ended.stream {}
        })
    }

    func untilStarted() async { for await _ in started.stream { return } }
    func end() { ended.continuation.finish() }
}
