import Dispatch
import LuaVM
import PlainValue
import Synchronization
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@testable import WorkflowStore

@Suite struct StuckCallTests {
    private let folder: Folder
    private let store: SQLiteSessionStore
    private let jam = Jam()
    private let time = Time()
    private let stuck: AsyncStream<StuckCall>
    private let tellStuck: AsyncStream<StuckCall>.Continuation
    private let ended: AsyncStream<StuckCall>
    private let tellEnded: AsyncStream<StuckCall>.Continuation

    init() throws {
        (stuck, tellStuck) = AsyncStream<StuckCall>.makeStream()
        (ended, tellEnded) = AsyncStream<StuckCall>.makeStream()
        folder = try Folder()
        store = try SQLiteSessionStore(
            path: folder.path("sessions.sqlite"), synchronization: .normal)
    }

    /// A flow whose child jams a thread from the action `jam` on.
    private static let source = FlowSource.text(
        """
        local Child = { name = "child" }
        function Child.render(_, context)
            if context.props.jams then context:render("jam", {}) end
            return {}
        end

        local Flow = { name = "jammed", state = { n = 0, jams = false } }
        Flow.apply = {
            add = function(state) state.n = state.n + 1 end,
            jam = function(state) state.jams = true end,
        }
        function Flow.render(state, context)
            context:render(Child, { jams = state.jams })
            return { n = state.n }
        end
        return Flow
        """, name: "jammed.lua")

    /// A pool with one thread while none is slow. Sessions named `good…` have no limit.
    private func pool(limit: Int = 100) -> SessionPool {
        SessionPool(
            in: store, limit: limit, threads: 1,
            watch: CallWatch(patience: .seconds(1), now: { [time] in time.now }),
            onStuck: { [tellStuck] in tellStuck.yield($0) },
            onStuckEnd: { [tellEnded] in tellEnded.yield($0) }
        ) { [jam] id, _ in
            var options = FlowOptions(registerNativeWorkflows: { natives in
                natives.register("jam", props: Empty.Props.self) { _ in
                    jam.block()
                    return Empty()
                }
            })
            options.limits.timeLimit = id.hasPrefix("good") ? nil : .unreached
            return (Self.source, options)
        }
    }

    private func add(to id: String, in pool: SessionPool) async throws {
        try await pool.use(id) { try await $0.send(["type": "add"]) }
    }

    private func count(of id: String, in pool: SessionPool) async throws -> Value? {
        try await pool.use(id) { await $0.rendering["n"] }
    }

    /// Jams sessions, and waits until their calls are under way.
    private func jamSessions(
        _ ids: [String], in pool: SessionPool
    ) async -> [Task<any Error, any Error>] {
        let tasks = ids.map { id in
            Task {
                let error = await #expect(throws: StoreError.self) {
                    try await pool.use(id) { try await $0.send(["type": "jam"]) }
                }
                return try #require(error) as any Error
            }
        }
        await jam.untilBlocked(ids.count)
        return tasks
    }

    private func passTime() -> Task<Void, Never> {
        Task { [time] in
            while !Task.isCancelled {
                time.pass()
                await Task.yield()
            }
        }
    }

    @Test func twentyCallsThatDoNotEndCostTheirSessionsOnly() async throws {
        let pool = pool()
        let ids = (0..<20).map { "bad \($0)" }
        for id in ids + ["good"] { try await add(to: id, in: pool) }
        // The pool has fewer threads than there are such calls.
        let jammed = await jamSessions(ids, in: pool)
        try await add(to: "good", in: pool)
        #expect(pool.stuckCallCount == 0)

        var found: Set<StuckCall> = []
        let looking = passTime()
        for await call in stuck {
            found.insert(call)
            if found.count == ids.count { break }
            try await add(to: "good", in: pool)
        }
        looking.cancel()
        #expect(
            found
                == Set(
                    ids.map { StuckCall(session: $0, flow: "jammed", node: "jammed/child") }))
        for task in jammed { #expect(try await (task.value as? StoreError)?.code == .stuck) }
        #expect(pool.stuckCallCount == 20)
        // It is not tried again: each attempt would cost a thread.
        let refused = await #expect(throws: StoreError.self) {
            try await add(to: "bad 0", in: pool)
        }
        #expect(refused?.code == .stuck)
        try await add(to: "good", in: pool)
        #expect(try await store.summary(of: "bad 0").step == 1)
        #expect(await pool.openCount == 1)

        jam.open()
        var left = ids.count
        for await _ in ended {
            left -= 1
            if left == 0 { break }
        }
        #expect(pool.stuckCallCount == 0)
        // The action that did not end was not done.
        for id in ids { #expect(try await count(of: id, in: pool) == 1) }
        try await add(to: "bad 0", in: pool)
        #expect(try await count(of: "bad 0", in: pool) == 2)
        _ = await pool.close()
    }

    @Test func allWhoWaitForASessionAreAnsweredWhenItIsGivenUpAndThePoolCloses() async throws {
        let pool = pool()
        try await add(to: "bad", in: pool)
        let jammed = await jamSessions(["bad"], in: pool)
        let waiting = (0..<10).map { number in
            Task {
                switch number % 5 {
                case 0: try await add(to: "bad", in: pool)
                case 1: try await pool.use("bad") { _ = try await $0.moment(at: 0) }
                case 2: try await pool.use("bad") { _ = try await $0.refresh() }
                case 3: try await pool.use("bad") { try await $0.undo() }
                default: try await pool.use("bad") { _ = try await $0.moments(1...1) }
                }
            }
        }
        let closing = Task { await pool.close() }
        let looking = passTime()
        for await _ in stuck { break }
        looking.cancel()
        #expect(try await (jammed[0].value as? StoreError)?.code == .stuck)
        // What only reads the store is answered, and the others with an error.
        for task in waiting { _ = await task.result }
        _ = await closing.value
        #expect(pool.stuckCallCount == 1)
        jam.open()
        for await _ in ended { break }
    }

    @Test func aSessionThatIsStuckWhileItIsOpenedIsGivenUpTooAndIsNotKept() async throws {
        let pool = pool()
        // A root that jams as soon as it is rendered.
        let jamming = FlowSource.text(
            "return { name = 'jam', render = function(_, c) c:render('jam', {}) return {} end }")
        let jam = jam
        var options = FlowOptions(registerNativeWorkflows: { natives in
            natives.register("jam", props: Empty.Props.self) { _ in
                jam.block()
                return Empty()
            }
        })
        options.limits.timeLimit = .unreached
        let opening = (jamming, options)
        let creating = Task { try await pool.create("bad", opening) }
        await jam.untilBlocked(1)
        let looking = passTime()
        for await call in stuck {
            #expect(call == StuckCall(session: "bad", flow: "jam", node: "jam"))
            break
        }
        looking.cancel()
        let error = await #expect(throws: StoreError.self) { try await creating.value }
        #expect(error?.code == .stuck)
        // It is given up beside the answer.
        while await pool.openCount > 0 { await Task.yield() }
        jam.open()
        for await _ in ended { break }
        // Nothing was kept of it.
        await #expect(throws: StoreError.self) { try await store.summary(of: "bad") }
        try await pool.create("bad", opening)
        #expect(try await store.summary(of: "bad").step == 0)
        _ = await pool.close()
    }
}

private final class Jam: Sendable {
    private let state = Mutex((blocked: 0, isOpen: false))
    private let gate = DispatchSemaphore(value: 0)

    func block() {
        let blocks = state.withLock { state in
            if !state.isOpen { state.blocked += 1 }
            return !state.isOpen
        }
        if blocks { gate.wait() }
    }

    func untilBlocked(_ count: Int) async {
        while state.withLock(\.blocked) < count { await Task.yield() }
    }

    func open() {
        let blocked = state.withLock { state in
            state.isOpen = true
            return state.blocked
        }
        for _ in 0..<blocked { gate.signal() }
    }
}

private final class Time: Sendable {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func pass() { time.withLock { $0 += .seconds(1000) } }
}

private struct Empty: Workflow {
    struct Props: Decodable {}
    struct State: Codable {}

    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Empty>) -> Int { 0 }
}
