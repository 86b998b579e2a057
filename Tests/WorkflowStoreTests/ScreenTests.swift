import PlainValue
import TestSupport
import Testing
import WorkflowKit

@testable import WorkflowStore

@Suite struct ScreenTests {
    private let store = TroubledStore(MemorySessionStore())

    private func open() async throws -> StoredSession {
        try await .open("s", of: .diary, in: store, options: .test())
    }

    private func action(_ n: Int) -> Value { ["type": "add", "n": .int(n)] }

    @Test func aStepThatComesBackHasAnotherTag() async throws {
        var seen: [String: Value] = [:]
        for _ in 0..<2 {
            let session = try await open()
            let first = try await session.moment()
            #expect(first.tag.hasPrefix("0."))
            var moments = [first, try await session.send(action(1))]
            moments.append(try await session.undo())
            moments.append(try await session.send(action(2)))
            moments.append(try await session.undo())
            moments.append(try await session.redo())
            moments.append(try await session.moment())
            for moment in moments {
                #expect(seen[moment.tag] ?? moment.rendering == moment.rendering, "\(moment.tag)")
                seen[moment.tag] = moment.rendering
            }
            #expect(Set(moments.map(\.tag)).count == 6)
            try await session.close()
            try await store.delete("s")
        }
        #expect(seen.count == 12)
    }

    @Test func closingAndOpeningKeepTheTag() async throws {
        let first = try await open()
        let tag = try await first.send(action(1)).tag
        try await first.close()
        #expect(try await store.summary(of: "s").version > 2)
        let second = try await open()
        #expect(try await second.moment().tag == tag)
        #expect(try await second.moment(at: 1).tag == tag)
        let third = try await second.request(expecting: ["0.0", tag]) {
            try $0.send(["type": "add", "n": 2])
        }
        #expect(third.step == 2)
        let error = await #expect(throws: StoreError.self) {
            try await second.request(expecting: [tag]) { try $0.send(["type": "add", "n": 3]) }
        }
        #expect(error?.code == .otherStep)
        #expect(error?.message == "the session has changed since, and stands at step 2")
        #expect(await second.step == 2)
    }

    @Test func aRepeatedRequestHasTheTagOfItsAnswer() async throws {
        let session = try await open()
        let key = RequestKey("k", digest: 1)
        let first = try await session.send(action(1), key: key)
        try await session.send(action(2))
        let again = try await session.send(action(1), key: key)
        #expect(again.tag == first.tag)
    }

    /// Changes that are stored together have one version, so no step may come twice in it.
    @Test func whatIsStoredTogetherHasDifferentTags() async throws {
        let session = try await open()
        store.hold()
        let first = Task { try await session.send(action(0)) }
        await store.untilHeld()
        var tasks: [Task<SessionMoment, any Error>] = []
        let bodies: [@Sendable () async throws -> SessionMoment] = [
            { try await session.send(["type": "add", "n": 1]) },
            { try await session.send(["type": "add", "n": 2]) },
            { try await session.undo() },
            { try await session.send(["type": "add", "n": 3]) },
            { try await session.go(to: 1) },
            { try await session.send(["type": "add", "n": 4]) },
        ]
        for (count, body) in bodies.enumerated() {
            tasks.append(Task { try await body() })
            while await session.calls.count <= count { await Task.yield() }
        }
        store.release()
        var moments = [try await first.value]
        for task in tasks { moments.append(try await task.value) }
        #expect(moments.map(\.step) == [1, 2, 3, 2, 3, 1, 2])
        var seen: [String: Value] = [:]
        for moment in moments {
            #expect(seen[moment.tag] ?? moment.rendering == moment.rendering, "\(moment.tag)")
            seen[moment.tag] = moment.rendering
        }
        let now = try await session.moment()
        #expect(now.tag == moments.last?.tag)
        // None of the screens before is taken for the present one.
        for moment in moments.dropLast() where moment.tag != now.tag {
            await #expect(throws: StoreError.self) {
                try await session.request(expecting: [moment.tag]) { _ in }
            }
        }
    }
}
