import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@testable import WorkflowStore

@Suite struct RepeatedRequestTests {
    private let store = TroubledStore(MemorySessionStore())

    private func open(
        _ source: FlowSource = .diary, interval: Int = 64
    ) async throws -> StoredSession {
        try await .open(
            "s", of: source, in: store, options: .test(),
            storage: StoredSessionOptions(snapshotInterval: interval))
    }

    private func action(_ n: Int) -> Value { ["type": "add", "n": .int(n)] }

    private func expectSame(
        _ first: SessionMoment, _ second: SessionMoment, location: SourceLocation = #_sourceLocation
    ) {
        #expect(first.step == second.step, sourceLocation: location)
        #expect(first.rendering == second.rendering, sourceLocation: location)
        #expect(first.outputs == second.outputs, sourceLocation: location)
        #expect(first.actionTypes == second.actionTypes, sourceLocation: location)
    }

    @Test func aRequestIsDoneOnceAndAnsweredTheSame() async throws {
        let session = try await open(interval: 2)
        let key = RequestKey("k", digest: 7)
        let first = try await session.send(action(1), key: key)
        expectSame(first, try await session.send(action(1), key: key))
        for n in 2...9 { try await session.send(action(n)) }
        expectSame(first, try await session.send(action(1), key: key))
        try await session.undo()
        // The same for a session that only has the last steps in memory.
        try await session.close()
        let later = try await open(interval: 2)
        #expect(try await store.load("s").snapshot.step > 1)
        let again = try await later.send(action(1), key: key)
        expectSame(first, again)
        // As it was when the action was answered first.
        #expect(again.stepCount == 1)
        #expect(await later.numbers == Array(1...8))
        #expect(try await store.summary(of: "s").stepCount == 9)
    }

    @Test func anotherRequestUnderTheKeyIsRefused() async throws {
        let session = try await open()
        try await session.send(action(1), key: RequestKey("k", digest: 7))
        let error = await #expect(throws: StoreError.self) {
            try await session.send(action(2), key: RequestKey("k", digest: 8))
        }
        #expect(error?.code == .keyReused)
        #expect(error?.message == "another request was sent under the key 'k' before")
        #expect(error?.help == "give each request a key of its own")
        let bad = await #expect(throws: StoreError.self) {
            try await session.send(action(2), key: RequestKey("", digest: 8))
        }
        #expect(bad?.code == .badKey)
        #expect(await session.numbers == [1])
    }

    @Test func aKeyWithoutADigestTellsActionsApartInEachProcess() async throws {
        let key = RequestKey("pay-17")
        let session = try await open()
        let first = try await session.send(action(1), key: key)
        try await session.close()
        // That of the action, and so the same in another process.
        #expect(try await store.receipt("pay-17", of: "s")?.digest == 0x553d_7885_f770_f045)
        let later = try await open()
        expectSame(first, try await later.send(action(1), key: key))
        func expectReused(_ request: () async throws -> SessionMoment) async {
            let error = await #expect(throws: StoreError.self) { try await request() }
            #expect(error?.code == .keyReused)
        }
        await expectReused { try await later.send(action(2), key: key) }
        await expectReused { try await later.send(action(1), to: "diary", key: key) }
        await expectReused { try await later.update(props: [:], key: key) }
        await expectReused { try await later.undo(key: key) }
        await expectReused { try await later.request(key) { _ in } }
        #expect(await later.numbers == [1])
    }

    @Test func anActionOfAnOwnTypeGoesOnceToItsNodeByItsSender() async throws {
        struct Add: FlowAction { var n: Int }
        let session = try await open()
        for _ in 1...2 {
            try await session.send(Add(n: 1), to: "diary", by: "ada", key: RequestKey("k"))
        }
        let inputs = try await session.perform { $0.inputs }
        #expect(inputs.map(\.kind) == [.action(action(1), node: "diary")])
        #expect(inputs.map(\.principal) == ["ada"])
        let error = await #expect(throws: FlowError.self) {
            try await session.send(Add(n: 2), to: "diary/page")
        }
        #expect(error?.code == .unknownNode)
    }

    @Test func aStepThatWasGivenUpIsSaid() async throws {
        let session = try await open()
        let key = RequestKey("k", digest: 7)
        let first = try await session.send(action(1), key: key)
        try await session.undo()
        // A redo can still reach it.
        expectSame(first, try await session.send(action(1), key: key))
        try await session.send(action(2))
        let error = await #expect(throws: StoreError.self) {
            try await session.send(action(1), key: key)
        }
        #expect(error?.code == .givenUp)
        #expect(error?.message == "the request was done, and its step 1 was given up since")
        #expect(error?.help == "to do it again, send it under another key")
        #expect(await session.numbers == [2])
    }

    @Test func movesAreDoneOnceToo() async throws {
        let session = try await open(interval: 2)
        for n in 1...6 { try await session.send(action(n)) }
        let undo = RequestKey("u", digest: 1)
        let first = try await session.undo(key: undo)
        #expect(first.step == 5)
        #expect(first.outputs == [])
        expectSame(first, try await session.undo(key: undo))
        try await session.close()
        // The step is no longer in memory.
        let later = try await open(interval: 2)
        let back = RequestKey("b", digest: 2)
        let second = try await later.go(to: 1, key: back)
        #expect(await later.numbers == [1])
        expectSame(second, try await later.go(to: 1, key: back))
        expectSame(first, try await later.undo(key: undo))
        #expect(await later.step == 1)
    }

    @Test func whatFailedIsTriedAgainUnlessItWasApplied() async throws {
        let session = try await open()
        let key = RequestKey("k", digest: 7)
        await #expect(throws: FlowError.self) { try await session.send(["type": "add"], key: key) }
        #expect(try await store.receipt("k", of: "s") == nil)
        try await session.send(action(1), key: key)

        let fragile = try await StoredSession.create("f", of: .fragile, in: store, options: .test())
        for _ in 1...2 {
            let error = await #expect(throws: FlowError.self) {
                try await fragile.send("boom", key: key)
            }
            #expect(error?.message == "no booms")
            #expect(await fragile.step == 1)
        }
    }

    @Test func twoOfAKeyAtATimeAreDoneOnce() async throws {
        let session = try await open()
        let key = RequestKey("k", digest: 7)
        store.hold()
        let first = Task { try await session.send(action(0)) }
        await store.untilHeld()
        let tasks = (1...3).map { _ in Task { try await session.send(action(1), key: key) } }
        while await session.calls.count < 3 { await Task.yield() }
        store.release()
        _ = try await first.value
        let moment = try await tasks[0].value
        expectSame(moment, try await tasks[1].value)
        expectSame(moment, try await tasks[2].value)
        #expect(await session.numbers == [0, 1])
    }

    @Test func aSessionIsBegunOnceForAKey() async throws {
        let key = RequestKey("k", digest: 7)
        func create(_ key: RequestKey?) async throws -> StoredSession {
            try await .create("s", of: .diary, in: store, options: .test(), key: key)
        }
        try await create(key).send(action(1))
        #expect(try await create(key).numbers == [1])
        func code(_ key: RequestKey?) async -> StoreError.Code? {
            await #expect(throws: StoreError.self) { try await create(key) }?.code
        }
        #expect(await code(nil) == .exists)
        #expect(await code(RequestKey("l", digest: 7)) == .exists)
        #expect(await code(RequestKey("k", digest: 8)) == .keyReused)
    }

    @Test func momentsAreAskedForWhereverTheyLie() async throws {
        let session = try await open(interval: 3)
        for n in 1...10 { try await session.send(action(n)) }
        try await session.close()
        let later = try await open(interval: 3)
        for step in [0, 1, 5, 8, 9, 10] {
            let moment = try await later.moment(at: step)
            #expect(moment.step == step)
            #expect(moment.stepCount == 10)
            #expect(
                moment.rendering["entries"]?.list?.compactMap(\.int) ?? [] == Array(1..<(step + 1)))
            #expect(moment.outputs == (step == 0 ? [] : [.int(step)]))
        }
        let now = try await later.moment()
        #expect(now.step == 10)
        #expect(now.outputs == [])
        #expect(await later.step == 10)
        let error = await #expect(throws: StoreError.self) { try await later.moment(at: 11) }
        #expect(error?.code == .noSuchStep)
    }

    @Test func stepsAreLeftToTheStoreWhenTheyAreMany() async throws {
        let session = try await StoredSession.open(
            "s", of: .diary, in: store, options: .test(),
            storage: StoredSessionOptions(snapshotInterval: 4, stepsInMemory: 8))
        for n in 1...50 {
            #expect(try await session.send(action(n)).step == n)
            #expect(await session.inputsInMemory <= 12)
        }
        #expect(await session.numbers == Array(1...50))
        #expect(try await session.moment(at: 3).outputs == [3])
        // The session stays at its earlier step, however many steps there are.
        try await session.go(to: 2)
        #expect(await session.numbers == [1, 2])
        for n in 3...20 { try await session.send(action(n)) }
        #expect(await session.numbers == Array(1...20))
        #expect(try await open().numbers == Array(1...20))
    }
}

extension StoredSession {
    fileprivate var inputsInMemory: Int { get async { await live?.session.inputs.count ?? 0 } }
}
