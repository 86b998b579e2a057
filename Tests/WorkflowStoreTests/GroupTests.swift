import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import WorkflowStore

@Suite struct GroupTests {
    private let store = TroubledStore(MemorySessionStore())

    private func open(_ source: FlowSource = .diary) async throws -> StoredSession {
        try await .open("s", of: source, in: store, options: .test())
    }

    private func action(_ n: Int) -> Value { ["type": "add", "n": .int(n)] }

    /// Starts calls in order while the store holds back the input 0.
    private func together<Result: Sendable>(
        _ count: Int, in session: StoredSession,
        _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> [Task<Result, any Error>] {
        store.hold()
        let first = Task { try await session.send(action(0)) }
        await store.untilHeld()
        var tasks: [Task<Result, any Error>] = []
        for n in 1...count {
            tasks.append(Task { try await body(n) })
            while await session.calls.count < n { await Task.yield() }
        }
        store.release()
        _ = try await first.value
        return tasks
    }

    @Test func callsThatWaitAreKeptTogetherAndAnsweredEach() async throws {
        let session = try await open()
        let tasks = try await together(100, in: session) { n in try await session.send(action(n)) }
        for (n, task) in zip(1...100, tasks) {
            let moment = try await task.value
            #expect(moment.step == n + 1)
            #expect(moment.stepCount == n + 1)
            #expect(moment.version == 3)
            #expect(moment.outputs == [.int(n)])
            let replayed = try await session.moment(at: moment.step)
            #expect(moment.rendering == replayed.rendering)
            #expect(moment.rendering["entries"]?.list?.compactMap(\.int) == Array(0...n))
            #expect(replayed.outputs == moment.outputs)
        }
        #expect(store.appendCount == 2)
    }

    @Test func whatIsShownHasItsOwnVersion() async throws {
        let session = try await open()
        let tasks = try await together(6, in: session) { n in
            n.isMultiple(of: 2) ? try await session.moment() : try await session.send(action(n))
        }
        for (n, task) in zip(1...6, tasks) {
            let moment = try await task.value
            // An action and the rendering after it make one change.
            #expect(moment.step == (n + 1) / 2 + 1)
            #expect(moment.version == (n + 1) / 2 + 2)
        }
        #expect(store.appendCount == 4)
    }

    @Test func aBodyThatFailsFailsAlone() async throws {
        let session = try await open()
        let tasks = try await together(9, in: session) { n in
            try await session.send(n.isMultiple(of: 3) ? ["type": "add"] : action(n))
        }
        for (n, task) in zip(1...9, tasks) {
            let message: String?
            do {
                #expect(try await task.value.outputs == [.int(n)])
                message = nil
            } catch {
                message = (error as? FlowError)?.message
            }
            #expect(message == (n.isMultiple(of: 3) ? "add needs n" : nil))
        }
        #expect(await session.numbers == [0, 1, 2, 4, 5, 7, 8])
        #expect(store.appendCount == 2)
        #expect(try await store.load("s").inputs.count == 7)
    }

    /// A step that comes back must have another version; see ``SessionScreen``.
    @Test func aStepThatIsGoneBackToEndsAGroup() async throws {
        let session = try await open()
        let tasks = try await together(5, in: session) { n in
            let key = RequestKey("k\(n)", digest: 1)
            return switch n {
            case 3: try await session.go(to: 1, key: key)
            case 5: try await session.undo(key: key)
            default: try await session.send(action(n), key: key)
            }
        }
        var entries: [[Int]] = []
        for task in tasks {
            entries.append(try await task.value.rendering["entries"]?.list?.compactMap(\.int) ?? [])
        }
        #expect(entries == [[0, 1], [0, 1, 2], [0], [0, 4], [0]])
        #expect(await session.step == 1)
        #expect(await session.stepCount == 2)
        #expect(store.appendCount == 3)
        let receipts = try await store.receipts((1...5).map { "k\($0)" }, of: "s")
        #expect(receipts.map(\.step) == [2, 3, 1, 2, 1])
        #expect(receipts.map(\.inputCount) == [1, 1, 0, 1, 0])
        #expect(receipts.map(\.isGivenUp) == [true, true, false, false, false])
    }

    @Test func whatHangsOnAChangeThatIsNotKeptFailsWithIt() async throws {
        let session = try await open()
        store.hold()
        let first = Task { try await session.send(action(0)) }
        await store.untilHeld()
        let before = Task { try await session.perform { $0.step } }
        while await session.calls.count < 1 { await Task.yield() }
        let sending = Task { try await session.send(action(1)) }
        while await session.calls.count < 2 { await Task.yield() }
        let after = Task { try await session.perform { $0.step } }
        while await session.calls.count < 3 { await Task.yield() }
        // The second change is refused.
        store.trouble([1: .fails(StoreError(.full, "there is no space left"))])
        store.release()
        _ = try await first.value
        #expect(try await before.value == 1)
        for task in [Task { _ = try await sending.value }, Task { _ = try await after.value }] {
            let error = await #expect(throws: StoreError.self) { try await task.value }
            #expect(error?.code == .full)
        }
        #expect(await session.numbers == [0])
    }

    @Test func aCallerWhoIsCancelledIsAnswered() async throws {
        let session = try await open()
        store.hold()
        let underWay = Task { try await session.send(action(1)) }
        await store.untilHeld()
        let waiting = Task { try await session.send(action(2)) }
        let last = Task { try await session.send(action(3)) }
        while await session.calls.count < 2 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        underWay.cancel()
        let error = await #expect(throws: StoreError.self) { try await underWay.value }
        #expect(error?.code == .unknown)
        #expect(error?.message == "what was asked of the session 's' may be kept or not")
        #expect(error?.help == "ask the session, or send a request that has a key again")
        store.release()
        _ = try await last.value
        // The call that had started is stored; the waiting ones never ran.
        #expect(await session.numbers == [1, 3])
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await session.send(action(4))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(await session.numbers == [1, 3])
    }

    @Test func callsThatWaitWhenTheSessionIsClosedSaySo() async throws {
        let session = try await open()
        store.hold()
        let first = Task { try await session.send(action(0)) }
        await store.untilHeld()
        let closing = Task { try await session.close() }
        let waiting = Task { try await session.send(action(1)) }
        while await session.calls.count < 1 { await Task.yield() }
        store.release()
        _ = try await first.value
        _ = try await closing.value
        let kept = try? await waiting.value
        // Whichever of the two was first.
        let numbers = try await open().numbers
        #expect(numbers == (kept == nil ? [0] : [0, 1]))
        let error = await #expect(throws: StoreError.self) { try await session.send(action(2)) }
        #expect(error?.message == "the session 's' is closed")
    }
}
