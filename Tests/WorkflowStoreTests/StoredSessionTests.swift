import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowStore

@Suite struct StoredSessionTests {
    private let folder: Folder
    private let store: SQLiteSessionStore

    init() throws {
        folder = try Folder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func diary(
        _ id: String = "d", interval: Int = 64, lenient: Bool = false,
        of source: FlowSource = .diary, onEvent: @escaping @Sendable (FlowEvent) -> Void = { _ in }
    ) async throws -> StoredSession {
        try await .open(
            id, of: source, in: store, options: .test(),
            storage: StoredSessionOptions(snapshotInterval: interval, isLenient: lenient),
            onEvent: onEvent)
    }

    private func add(_ numbers: ClosedRange<Int>, to session: StoredSession) async throws {
        for n in numbers { try await session.send(["type": "add", "n": .int(n)]) }
    }

    private func entries(_ session: StoredSession) async -> [Int] {
        await session.rendering["entries"]?.list?.compactMap(\.int) ?? []
    }

    @Test func aSessionGoesOnWhereItWas() async throws {
        let first = try await diary()
        try await add(1...3, to: first)
        let second = try await diary()
        #expect(await entries(second) == [1, 2, 3])
        #expect(await second.step == 3)
        #expect(await second.stepCount == 3)
        #expect(await second.name == "diary")
        #expect(await second.actionTypes == ["add", "roll", "stamp"])
    }

    @Test func randomNumbersAndTimesGoOnWhereTheyWere() async throws {
        let first = try await diary(interval: 2)
        for type in ["roll", "stamp", "roll"] { try await first.send(["type": .string(type)]) }
        let kept = await first.rendering
        let second = try await diary()
        #expect(await second.rendering == kept)
        try await second.send(["type": "roll"])
        // A session that was never interrupted draws the same numbers.
        let whole = try await FlowSession.open(.diary, options: .test())
        for _ in 1...3 { try await whole.send(["type": "roll"]) }
        #expect(await second.rendering["entries"]?[3] == whole.rendering["entries"]?[2])
    }

    @Test func aFailedActionIsNotKept() async throws {
        let session = try await diary()
        let error = await #expect(throws: FlowError.self) {
            try await session.send(["type": "add"])
        }
        #expect(error?.message == "add needs n")
        #expect(try await store.summary(of: "d").version == 1)
        try await add(1...1, to: session)
        #expect(try await store.load("d").inputs.count == 1)
    }

    @Test func whatIsDoneTogetherIsKeptTogether() async throws {
        let session = try await diary()
        try await session.perform { session in
            try session.send(["type": "add", "n": 1])
            try session.send(["type": "add", "n": 2])
        }
        #expect(try await store.summary(of: "d").version == 2)
        #expect(try await store.summary(of: "d").stepCount == 2)
    }

    @Test func anActionThatAChildCannotFollowIsKept() async throws {
        let first = try await diary("f", interval: 1, of: .fragile)
        await #expect(throws: FlowError.self) { try await first.send("boom") }
        #expect(await first.step == 1)
        try await first.close()
        // If it continued from its state alone, the child could follow.
        #expect(try await store.load("f").snapshot.step == 0)

        let second = try await diary("f", interval: 1, of: .fragile)
        #expect(await second.step == 1)
        #expect(try await second.perform { $0.state() } == ["n": 1, "boom": true])
        #expect(await second.rendering == ["n": 0, "child": ["changes": 0]])
        try await second.send("boom")
        #expect(await second.rendering == ["n": 2, "child": ["changes": 0]])
        #expect(try await store.load("f").snapshot.step == 2)
        try await second.undo()
        #expect(try await second.perform { $0.state() } == ["n": 1, "boom": true])
    }

    @Test func propsAreKept() async throws {
        let session = try await diary()
        try await session.update(props: ["title": "mine"])
        #expect(await (try diary()).rendering["title"] == "mine")
    }

    @Test func aSnapshotIsMadeEverySoManyInputs() async throws {
        let session = try await diary(interval: 4)
        try await add(1...11, to: session)
        let contents = try await store.load("d")
        #expect(contents.snapshot.step == 8)
        #expect(contents.inputs.count == 3)
        #expect(await entries(try diary()) == Array(1...11))
    }

    @Test func aSessionThatIsClosedLeavesASnapshot() async throws {
        let session = try await diary()
        try await add(1...3, to: session)
        try await session.close()
        let contents = try await store.load("d")
        #expect(contents.snapshot.step == 3)
        #expect(contents.inputs == [])
        let error = await #expect(throws: StoreError.self) { try await add(4...4, to: session) }
        #expect(error?.message == "the session 'd' is closed")
        try await (try diary()).close()
        #expect(try await store.summary(of: "d").version == contents.summary.version)
    }

    @Test func aSessionCannotBeCreatedTwiceOrResumedBeforeItIsCreated() async throws {
        let missing = await #expect(throws: StoreError.self) {
            _ = try await StoredSession.resume("d", of: .diary, in: store)
        }
        #expect(missing?.code == .notFound)
        _ = try await StoredSession.create("d", of: .diary, in: store)
        let twice = await #expect(throws: StoreError.self) {
            _ = try await StoredSession.create("d", of: .diary, in: store)
        }
        #expect(twice?.code == .exists)
        let named = try await StoredSession.create(of: .diary, in: store)
        #expect(try await store.list().sessions.map(\.id).sorted() == [named.id, "d"].sorted())
    }

    @Test func whenASessionIsToBeWokenIsKeptWithIt() async throws {
        func open() async throws -> StoredSession {
            // The session's worker never starts.
            var options = try FlowOptions.test()
            options.runsWorkers = false
            return try await .open("f", of: .follower, in: store, options: options)
        }
        let session = try await open()
        #expect(try await store.summary(of: "f").wakeAt == nil)
        try await session.send(["type": "follow", "last": 1])
        #expect(try await store.summary(of: "f").wakeAt == 0)
        try await session.undo()
        #expect(try await store.summary(of: "f").wakeAt == nil)
        try await session.redo()
        try await session.close()
        let summary = try await store.summary(of: "f")
        #expect(await session.wakeUp == WakeUp(number: summary.number, milliseconds: 0))

        // The summary of a step is valid until the session is at another one.
        let rested = SessionChange(keeping: 1, step: 1, wakeAt: 5000, milliseconds: summary.updated)
        _ = try await store.append(rested, to: "f", expecting: summary.version)
        let second = try await open()
        #expect(try await store.summary(of: "f").wakeAt == 5000)
        try await second.send(["type": "follow", "last": 0])
        #expect(try await store.summary(of: "f").wakeAt == nil)
        try await second.close()
        #expect(await second.wakeUp == nil)
    }

    // MARK: Changed flows

    @Test func aChangedFlowIsRefusedUnlessItIsDealtWithLeniently() async throws {
        let session = try await diary()
        try await add(1...2, to: session)
        let changed = FlowSource.diary(extra: "more = true")
        let error = await #expect(throws: FlowError.self) { _ = try await diary(of: changed) }
        #expect(error?.message == "the snapshot does not fit the flow")
        let lenient = try await diary(lenient: true, of: changed)
        #expect(await entries(lenient) == [1, 2])
        #expect(await lenient.rendering["more"] == true)
        // From the next input on, the session belongs to the new code.
        try await add(3...3, to: lenient)
        #expect(try await store.load("d").snapshot.step == 3)
        #expect(await entries(try diary(of: changed)) == [1, 2, 3])
    }

    @Test func anInputThatCannotBePlayedAgainIsNamed() async throws {
        let session = try await diary()
        try await session.send(["type": "roll"])
        try await add(1...1, to: session)
        let contents = try await store.load("d")
        var changed = contents.inputs
        changed[1].kind = .action(["type": "add"], node: "diary")
        let inputs = changed
        let snapshot = try FlowSnapshot(document: contents.snapshot.document)
        let error = await #expect(throws: FlowError.self) {
            _ = try await FlowSession.open(
                .diary, options: .test(), restoring: snapshot, replaying: inputs)
        }
        #expect(error?.message == "input 2, add, cannot be played again")
        #expect(
            error?.help
                == "the flow may have changed since: go on with what fits by FlowSnapshot.isLenient"
        )
        #expect(error?.notes == ["diary.lua:5: add needs n (in apply.add of diary)"])
        var lenient = snapshot
        lenient.isLenient = true
        let played = try await FlowSession.open(
            .diary, options: .test(), restoring: lenient, replaying: inputs)
        #expect(await played.step == 2)
        #expect(await played.rendering["entries"]?.list?.count == 1)
    }

    @Test func treesThatAreDeeperThanJSONAreKept() async throws {
        var options = try FlowOptions.test()
        options.props = ["below": 150]
        let session = try await StoredSession.open(
            "c", of: .chain, in: store, options: options,
            storage: StoredSessionOptions(snapshotInterval: 1))
        try await session.send(
            ["type": "add"], to: NodePath(Array(repeating: .init(name: "link"), count: 151)))
        let resumed = try await StoredSession.resume("c", of: .chain, in: store, options: options)
        #expect(await resumed.rendering["sum"] == 1)
    }

    // MARK: The journal

    @Test func aJournalOfAResumedSessionReplays() async throws {
        try await add(1...5, to: try diary(interval: 3))
        var options = try FlowOptions.test()
        options.journal = try FlowJournal(path: folder.path("journal.jsonl"))
        let events = Collected<FlowEvent>()
        let session = try await StoredSession.resume(
            "d", of: .diary, in: store, options: options, onEvent: { events.add($0) })
        // The recording contains the replayed inputs, but no events were sent for them.
        #expect(events.outputs == [])
        #expect(events.readyCount == 1)
        try await add(6...6, to: session)
        #expect(events.outputs == [6])
        try await session.undo()
        try await session.undo()
        try await add(7...7, to: session)
        #expect(await entries(session) == [1, 2, 3, 4, 7])
        let recording = try FlowRecording(path: folder.path("journal.jsonl"))
        let replayed = try await recording.makeSession(of: .diary)
        let differences = try await recording.replay(in: replayed)
        #expect(differences.isEmpty)
        #expect(await replayed.rendering == session.rendering)
    }
}
