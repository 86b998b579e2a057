import PlainValue
import Testing
import WorkflowKit
import WorkflowPostgreSQL
import WorkflowStore

/// The code of the page of WorkflowPostgreSQL, line for line.
@Suite(.enabled(if: PostgreSQLServer.address != nil))
struct GuideSnippets {
    @Test func sessionsAreKeptInADatabase() async throws {
        let (address, diary) = (try PostgreSQLServer.makeDatabase(), FlowSource.diary)
        let store = try await PostgreSQLSessionStore(address)
        let session = try await StoredSession.open("monday", of: diary, in: store)
        let moment = try await session.send(["type": "add", "n": 7])
        print(moment.step, moment.rendering)
        _ = try await session.close()
        #expect(moment.step == 1)

        let reader = try await PostgreSQLSessionStore(reading: address)
        for summary in try await reader.list().sessions {
            print(summary.id, summary.stepCount)
        }
        #expect(try await reader.list().sessions.map(\.id) == ["monday"])
        try reader.close()
        try store.close()
    }

    @Test func aHostBeatsAndLeaves() async throws {
        let store = try await PostgreSQLSessionStore(PostgreSQLServer.makeDatabase())
        let beat = try await store.beat()
        let ids = try await store.ids(of: beat.taken.map(\.number))
        print(ids.values.sorted())  // the sessions that this host runs from now on
        print(store.hasOtherHosts)  // false
        try await store.leave()
        #expect(!store.hasOtherHosts)
        try store.close()
    }
}
