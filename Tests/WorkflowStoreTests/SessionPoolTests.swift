import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowStore

@Suite struct SessionPoolTests {
    private let folder: TemporaryFolder
    private let store: SQLiteSessionStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    private func pool(
        limit: Int = 4, threads: Int = 2, of source: FlowSource = .diary,
        options: FlowOptions? = nil
    ) throws -> SessionPool {
        let options = try options ?? .test()
        return SessionPool(in: store, limit: limit, threads: threads) { _ in (source, options) }
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
        #expect(try await store.list().count == 40)
    }

    @Test func aSessionThatIsUsedByManyIsOpenedOnce() async throws {
        let opened = Atomic(0)
        let options = try FlowOptions.test()
        let pool = SessionPool(in: store) { _ in
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
        let pool = SessionPool(in: store, limit: 2) { id in
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
                task?.unownedTaskExecutor
                    == threads.withLock { $0?.asUnownedTaskExecutor() }
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

    @Test func whatKeepsASessionFromOpeningIsThrownAndTriedAgain() async throws {
        let isBroken = Atomic(true)
        let options = try FlowOptions.test()
        let pool = SessionPool(in: store) { _ in
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
}
