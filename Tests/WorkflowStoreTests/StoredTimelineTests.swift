import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua
import WorkflowStore

@Suite struct StoredTimelineTests {
    private let folder: Folder
    private let store: SQLiteSessionStore

    init() throws {
        folder = try Folder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func diary(interval: Int = 64) async throws -> StoredSession {
        try await .open(
            "d", of: .diary, in: store, options: .test(),
            storage: StoredSessionOptions(snapshotInterval: interval))
    }

    private func add(_ numbers: ClosedRange<Int>, to session: StoredSession) async throws {
        for n in numbers { try await session.send(["type": "add", "n": .int(n)]) }
    }

    private func entries(_ session: StoredSession) async -> [Int] {
        await session.rendering["entries"]?.list?.compactMap(\.int) ?? []
    }

    @Test func whatIsUndoneStaysUndone() async throws {
        let session = try await diary()
        try await add(1...3, to: session)
        try await session.undo()
        let second = try await diary()
        #expect(await entries(second) == [1, 2])
        #expect(await second.step == 2)
        #expect(await second.stepCount == 3)
        try await second.redo()
        #expect(await entries(try diary()) == [1, 2, 3])
    }

    @Test func aReloadIsWhereTheNewCodeBegins() async throws {
        func write(_ name: String) throws {
            try folder.write(
                """
                return {
                    name = "r", state = { n = 0 },
                    apply = { add = function(state) state.n = state.n + 1 end },
                    render = function(state) return { \(name) = state.n } end,
                }
                """, to: "r.lua")
        }
        try write("old")
        let source = FlowSource.file(folder.path("r.lua"))
        let session = try await StoredSession.open("r", of: source, in: store, options: .test())
        for _ in 0..<3 { try await session.send("add") }
        try write("new")
        #expect(try await session.reload().rendering == ["new": 3])
        #expect(try await store.summary(of: "r").firstStep == 3)
        let error = await #expect(throws: StoreError.self) { try await session.undo() }
        #expect(error?.code == .noSuchStep)
        try await session.send("add")
        #expect(try await session.undo().rendering == ["new": 3])
        try folder.write("return {", to: "r.lua")
        await #expect(throws: FlowError.self) { try await session.reload() }
        #expect(try await session.redo().rendering == ["new": 4])
        #expect(try await store.summary(of: "r").firstStep == 3)
    }

    @Test func anInputAfterAnUndoGivesUpTheLaterOnes() async throws {
        let session = try await diary(interval: 2)
        try await add(1...5, to: session)
        try await session.go(to: 1)
        try await add(9...9, to: session)
        #expect(await entries(session) == [1, 9])
        #expect(await session.stepCount == 2)
        #expect(await entries(try diary()) == [1, 9])
        #expect(try await store.check() == [])
    }

    @Test func stepsBeforeTheLatestSnapshotAreReached() async throws {
        try await add(1...10, to: try diary(interval: 4))
        let session = try await diary()
        #expect(try await store.load("d").snapshot.step == 8)
        for step in [9, 7, 3, 0, 10, 5] {
            try await session.go(to: step)
            #expect(await entries(session) == Array(1..<(step + 1)))
            #expect(try await store.summary(of: "d").step == step)
            #expect(try await store.summary(of: "d").stepCount == 10)
        }
        try await add(0...0, to: session)
        #expect(await entries(try diary()) == [1, 2, 3, 4, 5, 0])
    }

    @Test func stepsThatAreNotThereAreRefused() async throws {
        let session = try await diary()
        try await add(1...2, to: session)
        func message(_ body: () async throws -> Void) async -> String? {
            do { try await body() } catch { return (error as? StoreError)?.description }
            return nil
        }
        #expect(
            await message { try await session.redo() }
                == "there is nothing to redo: this is the last step; steps are counted from 0 to 2")
        #expect(
            await message { try await session.go(to: 7) }
                == "there is no step 7; steps are counted from 0 to 2")
        try await session.go(to: 0)
        #expect(
            await message { try await session.undo() }
                == "there is nothing to undo: this is the beginning; steps are counted from 0 to 2")
        try await session.go(to: 2)
        try await session.close()
        try await store.compact("d")
        let resumed = try await diary()
        #expect(
            await message { try await resumed.undo() }
                == "there is no step 1 any more: it was compacted away, or made by other files; steps are counted from 2 to 2"
        )
        #expect(await entries(resumed) == [1, 2])
    }
}
