import PlainValue
import Synchronization
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@testable import WorkflowStore

/// A store whose connection breaks before or after it has executed a call.
@Suite struct UnknownOutcomeTests {
    private static let gone = StoreError(.io, "the connection is gone")

    private let store = TroubledStore(MemorySessionStore())

    private func open() async throws -> StoredSession {
        try await .open("s", of: .diary, in: store, options: .test())
    }

    private func action(_ n: Int) -> Value { ["type": "add", "n": .int(n)] }

    // MARK: One change

    @Test func whatIsKeptInSpiteOfAnErrorIsAnsweredAsKept() async throws {
        let session = try await open()
        store.trouble([0: .failsAfterwards(Self.gone)])
        let moment = try await session.send(action(1))
        #expect(moment.version == 2)
        #expect(await session.numbers == [1])
        // The running session is still the same one.
        #expect(store.callCount == 2)
        try await session.send(action(2))
        #expect(try await store.load("s").inputs.count == 2)
    }

    @Test func whatIsNotKeptIsToldAsThat() async throws {
        let session = try await open()
        store.trouble([0: .fails(Self.gone)])
        let error = await #expect(throws: StoreError.self) { try await session.send(action(1)) }
        #expect(error?.code == .io)
        #expect(
            error?.description == "the connection is gone; "
                + "the session was loaded again and stands at step 0")
        #expect(await session.numbers == [])
        try await session.send(action(2))
        #expect(await session.numbers == [2])
    }

    @Test func whatCannotBeReadBackIsUnknown() async throws {
        let session = try await open()
        store.trouble([0: .failsAfterwards(Self.gone), 1: .fails(Self.gone), 2: .fails(Self.gone)])
        let error = await #expect(throws: StoreError.self) { try await session.send(action(1)) }
        #expect(error?.code == .unknown)
        #expect(
            error?.description == "what was asked of the session 's' may be kept or not; "
                + "the connection is gone; "
                + "the session cannot be loaded again yet: the connection is gone; "
                + "ask the session, or send a request that has a key again")
        // The next call finds the stored state.
        try await session.send(action(2))
        #expect(await session.numbers == [1, 2])
    }

    @Test func whatSomebodyElseMayHaveGoneOnFromIsUnknown() async throws {
        let session = try await open()
        let other = try await open()
        store.trouble([0: .isSilent])
        let sending = Task { try await session.send(action(1)) }
        await store.untilHeld()
        try await other.send(action(2))
        // Its own change comes too late, which a store need not report.
        store.failAppends(nil)
        store.release()
        let error = await #expect(throws: StoreError.self) { try await sending.value }
        #expect(error?.code == .conflict)

        let third = try await open()
        store.trouble([0: .fails(Self.gone), 1: .isSilent])
        let again = Task { try await third.send(action(3)) }
        await store.untilHeld()
        _ = try await other.send(action(4))
        store.release()
        let unknown = await #expect(throws: StoreError.self) { try await again.value }
        #expect(unknown?.code == .unknown)
        #expect(await third.numbers == [2, 4])
    }

    @Test func aSessionThatIsBegunInSpiteOfAnErrorGoesOn() async throws {
        store.trouble([0: .failsAfterwards(Self.gone)])
        let session = try await StoredSession.create("s", of: .diary, in: store, options: .test())
        try await session.send(action(1))
        #expect(try await open().numbers == [1])
        store.trouble([0: .fails(Self.gone)])
        let error = await #expect(throws: StoreError.self) {
            _ = try await StoredSession.create("t", of: .diary, in: store, options: .test())
        }
        #expect(error?.code == .io)
        store.trouble([0: .failsAfterwards(Self.gone), 1: .fails(Self.gone)])
        let unknown = await #expect(throws: StoreError.self) {
            _ = try await StoredSession.create("t", of: .diary, in: store, options: .test())
        }
        #expect(unknown?.code == .unknown)
        // Another process may have created it at the same time.
        store.trouble([0: .fails(Self.gone)])
        let other = await #expect(throws: StoreError.self) {
            _ = try await StoredSession.create("s", of: .diary, in: store, options: .test())
        }
        #expect(other?.code == .exists)
    }

    // MARK: Each call in turn

    private enum Request: CaseIterable {
        case first, second, undo, third

        var key: RequestKey { RequestKey("\(self)", digest: 1) }

        func send(to session: StoredSession) async throws -> SessionMoment {
            switch self {
            case .first: try await session.send(["type": "add", "n": 1], key: key)
            case .second: try await session.send(["type": "add", "n": 2], key: key)
            case .undo: try await session.undo(key: key)
            case .third: try await session.send(["type": "roll"], key: key)
            }
        }
    }

    /// Repeats a call until it succeeds, and does not wait for a call without an answer.
    private func retry<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var lastError: (any Error)?
        for _ in 1...5 {
            let isOver = Atomic(false)
            let attempt = Task {
                defer { isOver.store(true, ordering: .releasing) }
                return try await body()
            }
            while !isOver.load(ordering: .acquiring) {
                if store.isSilent { attempt.cancel() }
                await Task.yield()
            }
            do { return try await attempt.value } catch { lastError = error }
            // The call is executed after its caller has given up.
            store.release()
        }
        throw lastError ?? CancellationError()
    }

    private func play() async throws -> [SessionMoment] {
        let session = try await retry { [store] in
            try await StoredSession.create(
                "s", of: .diary, in: store, options: .test(),
                storage: StoredSessionOptions(snapshotInterval: 2),
                key: RequestKey("create", digest: 1))
        }
        var moments: [SessionMoment] = []
        for request in Request.allCases {
            moments.append(try await retry { try await request.send(to: session) })
        }
        return moments
    }

    private static let troubles: [TroubledStore.Trouble] = [
        .fails(gone), .failsAfterwards(gone), .isSilent,
    ]

    @Test(arguments: troubles, [1, 2, 3]) func whateverCallIsTroubledEachRequestIsDoneOnce(
        _ trouble: TroubledStore.Trouble, _ length: Int
    ) async throws {
        let healthy = UnknownOutcomeTests()
        let expected = try await healthy.play()
        let count = healthy.store.callCount
        #expect(count > 8)
        for number in 0..<count {
            let test = UnknownOutcomeTests()
            test.store.trouble(
                Dictionary(
                    uniqueKeysWithValues: (number..<(number + length)).map { ($0, trouble) }))
            // Creating a session waits only for its store.
            if trouble == .isSilent, number < 2 { continue }
            let moments = try await test.play()
            #expect(moments.map(\.step) == expected.map(\.step), "call \(number)")
            #expect(moments.map(\.outputs) == expected.map(\.outputs), "call \(number)")
            test.store.trouble([:])
            let session = try await test.open()
            #expect(await session.stepCount == 2, "call \(number)")
            for moment in moments.dropFirst(2) {
                #expect(
                    try await session.moment(at: moment.step).rendering == moment.rendering,
                    "call \(number)")
            }
        }
    }
}
