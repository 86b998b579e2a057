import Foundation
import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowStore

@Suite struct TroubleTests {
    private let folder: Folder
    private let store: TroubledStore

    init() throws {
        folder = try Folder()
        store = TroubledStore(
            try SQLiteSessionStore(path: folder.path("sessions.sqlite"), synchronization: .normal))
    }

    private func open(
        _ source: FlowSource = .diary, options: FlowOptions? = nil,
        onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        try await .open("s", of: source, in: store, options: options ?? .test(), onEvent: onEvent)
    }

    private func add(_ n: Int, to session: StoredSession) async throws {
        try await session.send(["type": "add", "n": .int(n)])
    }

    private func entries(_ session: StoredSession) async -> [Int] {
        await session.rendering["entries"]?.list?.compactMap(\.int) ?? []
    }

    @Test func theSecondOfTwoIsRefusedAndBroughtUpToDate() async throws {
        let one = try await open()
        let other = try await open()
        try await add(1, to: one)
        let error = await #expect(throws: StoreError.self) { try await add(2, to: other) }
        #expect(error?.code == .conflict)
        #expect(
            error?.description
                == "the session 's' was changed elsewhere meanwhile; "
                + "the session was loaded again and stands at step 1; "
                + "load it again, and do again what is still wanted")
        #expect(await entries(other) == [1])
        try await add(2, to: other)
        #expect(await entries(other) == [1, 2])
        #expect(try await one.refresh())
        #expect(await entries(one) == [1, 2])
        #expect(try await one.refresh() == false)
    }

    @Test func anInputThatIsNotKeptNeverCame() async throws {
        let events = Collected<FlowEvent>()
        let session = try await open(onEvent: { events.add($0) })
        try await add(1, to: session)
        store.failAppends(StoreError(.full, "there is no space left"))
        let error = await #expect(throws: StoreError.self) { try await add(2, to: session) }
        #expect(error?.code == .full)
        #expect(error?.notes == ["the session was loaded again and stands at step 1"])
        #expect(await entries(session) == [1])
        #expect(events.outputs == [1])
        store.failAppends(nil)
        try await add(3, to: session)
        #expect(await entries(session) == [1, 3])
        #expect(events.outputs == [1, 3])
        #expect(await entries(try open()) == [1, 3])
    }

    @Test func aSessionThatCannotBeLoadedAgainIsTriedLater() async throws {
        let session = try await open()
        try await add(1, to: session)
        store.failAppends(StoreError(.io, "the disk is gone"))
        store.failLoads(StoreError(.io, "the disk is gone"))
        let error = await #expect(throws: StoreError.self) { try await add(2, to: session) }
        #expect(error?.notes == ["the session cannot be loaded again yet: the disk is gone"])
        let again = await #expect(throws: StoreError.self) { try await add(2, to: session) }
        #expect(again?.message == "the disk is gone")
        #expect(await entries(session) == [1])
        store.failAppends(nil)
        store.failLoads(nil)
        try await add(2, to: session)
        #expect(await entries(session) == [1, 2])
    }

    @Test func aSessionThatCannotBeKeptAnyMoreIsClosedAllTheSame() async throws {
        let events = Collected<FlowEvent>()
        let session = try await open(onEvent: { events.add($0) })
        try await add(1, to: session)
        store.failAppends(StoreError(.full, "there is no space left"))
        let error = await #expect(throws: StoreError.self) { try await session.close() }
        #expect(error?.description == "there is no space left")
        let closed = await #expect(throws: StoreError.self) { try await add(2, to: session) }
        #expect(closed?.code == .closed)
        #expect(events.readyCount == 1)
        store.failAppends(nil)
        #expect(await entries(try open()) == [1])
    }

    @Test func nothingIsSeenBeforeItIsKept() async throws {
        let events = Collected<FlowEvent>()
        let session = try await open(onEvent: { events.add($0) })
        store.hold()
        let sending = Task { try await add(1, to: session) }
        await store.untilHeld()
        #expect(await entries(session) == [])
        #expect(events.outputs == [])
        store.release()
        try await sending.value
        #expect(await entries(session) == [1])
        #expect(events.outputs == [1])
    }

    @Test func aJournalEndsWhereTheSessionIsLoadedAgain() async throws {
        var options = try FlowOptions.test()
        options.journal = try FlowJournal(path: folder.path("journal.jsonl"))
        let session = try await open(options: options)
        try await add(1, to: session)
        try await add(2, to: try open())
        await #expect(throws: StoreError.self) { try await add(3, to: session) }
        try await add(3, to: session)
        let lines = try String(contentsOfFile: folder.path("journal.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        #expect(lines.count { $0.contains(#""type":"ready""#) } == 1)
        #expect(lines.last?.contains("the recording ends: the session was loaded again") == true)
        #expect(try FlowRecording(path: folder.path("journal.jsonl")).steps.count == 2)
    }

    // MARK: Workers

    @Test func workersStartWhenTheirInputIsKept() async throws {
        let started = Collected<Int>()
        let session = try await open(.follower, options: .test { started.add($0) })
        store.hold()
        let sending = Task { try await session.send(["type": "follow", "last": 1]) }
        await store.untilHeld()
        #expect(started.all == [])
        store.release()
        _ = try await sending.value
        try await session.untilIdle()
        #expect(started.all == [0])
        #expect(await entries(session) == [1])
    }

    @Test func whatWorkersGiveIsKeptBeforeItIsSeen() async throws {
        let events = Collected<FlowEvent>()
        let session = try await open(.follower, onEvent: { events.add($0) })
        try await session.send(["type": "follow", "last": 30])
        try await session.untilIdle()
        #expect(events.outputs == (1...30).map { .int($0) })
        let kept = try await store.load("s", reaching: nil)
        #expect(kept.summary.stepCount >= 31)
        #expect(await entries(try open(.follower)) == Array(1...30))
    }

    @Test func workersThatWereAtWorkStartAgain() async throws {
        // The worker of the first process never ends.
        let began = AsyncStream<Void>.makeStream()
        let first = try await open(
            .follower,
            options: .test { _ in
                began.continuation.yield()
                let never = AsyncStream<Void>.makeStream()
                for await _ in never.stream {}
            })
        try await first.send(["type": "follow", "last": 2])
        for await _ in began.stream { break }
        let started = Collected<Int>()
        let second = try await open(.follower, options: .test { started.add($0) })
        try await second.untilIdle()
        #expect(started.all == [0, 1])
        #expect(await entries(second) == [1, 2])
    }

    @Test(.timeLimit(.minutes(15)))
    func anOutputThatCannotBeStoredIsReportedAndItsWorkerRunsAgain() async throws {
        let events = Collected<FlowEvent>()
        let stored = AsyncStream<Void>.makeStream()
        let session = try await open(
            .follower,
            options: .test { [store] after in
                // The second output finds a full disk, and the third attempt succeeds.
                if after == 1 {
                    store.failAppends(
                        events.errors.isEmpty ? StoreError(.full, "there is no space left") : nil)
                }
            },
            onEvent: { event in
                events.add(event)
                if case .error = event.kind { stored.continuation.yield() }
            })
        try await session.send(["type": "follow", "last": 3])
        for await _ in stored.stream { break }
        #expect(events.errors.first == "there is no space left")
        store.failAppends(nil)
        while await entries(session).count < 3 {
            try? await session.untilIdle()
            store.failAppends(nil)
            await Task.yield()
        }
        #expect(await entries(session) == [1, 2, 3])
        #expect(events.outputs == [1, 2, 3])
        #expect(await entries(try open(.follower)) == [1, 2, 3])
    }
}
