import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowStore

@Suite struct SessionPoolTests {
    private let folder: Folder
    private let store: SQLiteSessionStore

    init() throws {
        folder = try Folder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func pool(
        limit: Int = 4, threads: Int = 2, of source: FlowSource = .diary,
        options: FlowOptions? = nil
    ) throws -> SessionPool {
        let options = try options ?? .test()
        return SessionPool(in: store, limit: limit, threads: threads) { _, _ in (source, options) }
    }

    private func add(_ n: Int, to id: String, in pool: SessionPool) async throws {
        try await pool.use(id) { try await $0.send(["type": "add", "n": .int(n)]) }
    }

    private func entries(of id: String, in pool: SessionPool) async throws -> [Int] {
        try await pool.use(id) { session in
            await session.rendering["entries"]?.list?.compactMap(\.int) ?? []
        }
    }

    @Test func manySessionsArePlayedInTheRoomOfAFew() async throws {
        let pool = try pool()
        for round in 1...3 {
            await withTaskGroup { group in
                for id in 0..<40 {
                    group.addTask {
                        await #expect(throws: Never.self) {
                            try await add(round, to: "s\(id)", in: pool)
                        }
                    }
                }
            }
            #expect(await pool.openCount <= 4)
        }
        for id in 0..<40 { #expect(try await entries(of: "s\(id)", in: pool) == [1, 2, 3]) }
        #expect(try await store.list().sessions.count == 40)
    }

    @Test func idsThatLookAlikeAreOfTwoSessions() async throws {
        let pool = try pool()
        try await add(1, to: "\u{E9}", in: pool)
        try await add(2, to: "e\u{301}", in: pool)
        #expect(try await entries(of: "\u{E9}", in: pool) == [1])
        #expect(try await entries(of: "e\u{301}", in: pool) == [2])
    }

    @Test func aSessionThatIsUsedByManyIsOpenedOnce() async throws {
        let opened = Atomic(0)
        let options = try FlowOptions.test()
        let pool = SessionPool(in: store) { _, _ in
            opened.add(1, ordering: .relaxed)
            return (.diary, options)
        }
        await withTaskGroup { group in
            for n in 0..<50 {
                group.addTask {
                    await #expect(throws: Never.self) { try await add(n, to: "one", in: pool) }
                }
            }
        }
        #expect(opened.load(ordering: .relaxed) == 1)
        #expect(try await entries(of: "one", in: pool).sorted() == Array(0..<50))
    }

    @Test func theOneThatWasNotUsedForTheLongestTimeIsClosed() async throws {
        let opened = Mutex<[String]>([])
        let options = try FlowOptions.test()
        let pool = SessionPool(in: store, limit: 2) { id, _ in
            opened.withLock { $0.append(id) }
            return (.diary, options)
        }
        for id in ["a", "b", "a", "c", "a", "b"] { try await add(1, to: id, in: pool) }
        #expect(opened.withLock { $0 } == ["a", "b", "c", "b"])
    }

    @Test func sessionsInUseAndAtWorkStayOpen() async throws {
        let (starts, start) = AsyncStream<Int>.makeStream()
        let never = AsyncStream<Never>.makeStream()
        let pool = try pool(
            limit: 1, of: .follower,
            options: .test(onStart: { after in
                start.yield(after)
                for await _ in never.stream {}
            }))
        try await pool.use("worker") { try await $0.send(["type": "follow", "last": 1]) }
        for await _ in starts { break }
        try await pool.use("other") { other in
            try await pool.use("third") { _ = await $0.rendering }
            #expect(await pool.openCount == 2)
            try await other.send(["type": "follow", "last": 0])
        }
        #expect(await pool.openCount == 1)
        let abandoned = await pool.close(within: .zero)
        #expect(Set(abandoned.keys).isSubset(of: ["worker"]))
    }

    @Test func flowsRunOnThePoolsThreadsOnly() async throws {
        let places = Mutex<[Bool]>([])
        var options = try FlowOptions.test()
        let threads = Mutex<WorkerThreads?>(nil)
        options.now = {
            let isOwn = withUnsafeCurrentTask { task in
                task?.unownedTaskExecutor == threads.withLock { $0?.asUnownedTaskExecutor() }
            }
            places.withLock { $0.append(isOwn) }
            return 1
        }
        let pool = try pool(of: .follower, options: options)
        threads.withLock { $0 = pool.threads }
        try await pool.use("f") { session in
            try await session.send(["type": "follow", "last": 20])
            try await session.untilIdle()
            #expect(await session.rendering["entries"]?.list?.count == 20)
        }
        #expect(places.withLock { $0.count } > 20)
        #expect(places.withLock { $0.allSatisfy { $0 } })
    }

    @Test func anErrorOfOpeningASessionIsThrownAndTheNextUseTriesAgain() async throws {
        let isBroken = Atomic(true)
        let options = try FlowOptions.test()
        let pool = SessionPool(in: store) { _, _ in
            let source: FlowSource =
                isBroken.load(ordering: .relaxed) ? .text("return {", name: "bad.lua") : .diary
            return (source, options)
        }
        let error = await #expect(throws: FlowError.self) { try await add(1, to: "a", in: pool) }
        #expect(error?.code == .syntax)
        #expect(await pool.openCount == 0)
        isBroken.store(false, ordering: .relaxed)
        try await add(1, to: "a", in: pool)
    }

    @Test func aClosedPoolSaysSoAndWhatItKeptIsThere() async throws {
        let first = try pool()
        try await add(1, to: "a", in: first)
        await first.close()
        let error = await #expect(throws: StoreError.self) { try await add(2, to: "a", in: first) }
        #expect(error?.message == "the pool is closed")
        let second = try pool()
        #expect(try await entries(of: "a", in: second) == [1])
    }

    // MARK: Ways in

    @Test func aSessionIsBegunGoneOnWithOrEither() async throws {
        let asked = Mutex<[String]>([])
        let options = try FlowOptions.test()
        let pool = SessionPool(in: store) { id, _ in
            asked.withLock { $0.append(id) }
            return (.diary, options)
        }
        func code(_ body: () async throws -> Void) async -> StoreError.Code? {
            await #expect(throws: StoreError.self) { try await body() }?.code
        }
        #expect(await code { try await pool.resume("a") { _ in } } == .notFound)
        #expect(await pool.openCount == 0)
        var titled = options
        titled.props = ["title": "mine"]
        let opening = (source: FlowSource.diary, options: titled)
        let key = RequestKey("k", digest: 1)
        asked.withLock { $0 = [] }
        try await pool.create("a", opening, key: key)
        #expect(try await pool.resume("a") { await $0.rendering["title"] } == "mine")
        #expect(asked.withLock { $0 } == [])
        // Whether the session is open or not.
        for pool in [pool, try self.pool()] {
            #expect(await code { try await pool.create("a", opening) } == .exists)
            #expect(
                await code {
                    let other = RequestKey("k", digest: 2)
                    try await pool.create("a", opening, key: other)
                } == .keyReused)
            try await pool.create("a", opening, key: key)
            try await pool.resume("a") { session in
                #expect(await session.rendering["title"] == "mine")
            }
        }
    }

    @Test func aSessionCanBeCreatedWhileAnotherRequestForItFails() async throws {
        let options = try FlowOptions.test()
        let store = TroubledStore(store)
        // The first call looks for the session.
        store.trouble([0: .isSilent])
        let pool = SessionPool(in: store) { _, _ in (.diary, options) }
        let resuming = Task { try await pool.resume("a") { _ in } }
        await store.untilHeld()
        // The later calls find the place of the first.
        let opening = Task { try await pool.use("a") { await $0.step } }
        try await pool.create("b", (.diary, options))
        store.release()
        let error = await #expect(throws: StoreError.self) { try await resuming.value }
        #expect(error?.code == .notFound)
        #expect(try await opening.value == 0)
    }

    @Test func aSessionIsDeletedWhetherItIsOpenOrNot() async throws {
        let pool = try pool()
        try await add(1, to: "a", in: pool)
        try await pool.use("a") { session in
            try await pool.delete("a")
            let error = await #expect(throws: StoreError.self) {
                try await session.send(["type": "add", "n": 2])
            }
            #expect(error?.code == .closed)
        }
        #expect(await pool.openCount == 0)
        let missing = await #expect(throws: StoreError.self) { try await pool.delete("a") }
        #expect(missing?.code == .notFound)
        try await add(3, to: "a", in: pool)
        #expect(try await entries(of: "a", in: pool) == [3])
        let other = try self.pool()
        try await other.delete("a")
        #expect(try await store.list().sessions == [])
    }

    @Test func sessionsAreDeletedAndBegunAtTheSameTime() async throws {
        let pool = try pool()
        await withTaskGroup { group in
            for n in 0..<60 {
                group.addTask {
                    do {
                        if n.isMultiple(of: 3) {
                            try await pool.delete("a")
                        } else {
                            try await add(n, to: "a", in: pool)
                        }
                    } catch {
                        let code = (error as? StoreError)?.code
                        #expect(code == .notFound || code == .closed)
                    }
                }
            }
        }
        try? await pool.delete("a")
        try await add(7, to: "a", in: pool)
        #expect(try await entries(of: "a", in: pool) == [7])
    }

    @Test func sessionsAtWorkDoNotKeepOthersFromBeingClosed() async throws {
        let never = AsyncStream<Never>.makeStream()
        let pool = try pool(
            limit: 2, of: .follower,
            options: .test(onStart: { _ in for await _ in never.stream {} }))
        for n in 0..<10 {
            try await pool.use("worker \(n)") { try await $0.send(["type": "follow", "last": 1]) }
        }
        #expect(await pool.openCount == 10)
        for n in 0..<20 { try await pool.use("idle \(n)") { _ = await $0.step } }
        #expect(await pool.openCount <= 12)
        #expect(try await store.wakeUps().count == 10)
        #expect(try await store.wakeUps().allSatisfy { $0.milliseconds == 0 })
        await pool.close(within: .zero)
    }
}
