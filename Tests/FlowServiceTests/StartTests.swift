import FlowService
import PlainValue
import RawHTTP
import TestSupport
import Testing
import WorkflowLua
import WorkflowStore

struct StartTests {
    @Test func aServiceThatCannotListenLeavesNothingRunningAndItsStoreToOthers() async throws {
        let first = try await TestService()
        let folder = try Folder()
        let path = folder.path("sessions.db")
        let error = await #expect(throws: FlowError.self) {
            _ = try await TestService { settings, _ in
                settings.port = first.port
                settings.store = path
            }
        }
        #expect(
            error?.message
                == "nothing can be served at port \(first.port): Address already in use")
        // SQLite has files beside it while anybody has it open.
        #expect(try folder.names() == ["sessions.db"])
        let store = try SQLiteSessionStore(path: path)
        _ = try await store.beat()
        #expect(!store.hasOtherHosts)
        try await store.leave()
        try store.close()
        let second = try await TestService { settings, _ in settings.store = path }
        let made = try await second.ask(
            .post("/sessions", ["flow": "counter", "id": "a"], [second.bearer]))
        #expect(made.status == 201)
        await second.service.drain()
        await first.service.drain()
    }

    @Test func theErrorForAStoreThatCannotBeUsedHasThatOfTheStoreAsItsCause() async throws {
        let folder = try Folder(["sessions.db": "no store"])
        let error = await #expect(throws: FlowError.self) {
            _ = try await TestService { settings, _ in
                settings.store = folder.path("sessions.db")
            }
        }
        let cause = try #require(error?.cause as? StoreError)
        #expect(cause.code == .foreign)
        #expect(cause.message == error?.message)
    }
}
