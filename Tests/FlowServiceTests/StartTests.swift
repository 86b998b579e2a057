import FlowService
import LibC
import PlainValue
import RawHTTP
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua
import WorkflowStore

struct StartTests {
    @Test func aServiceThatCannotListenLeavesNothingRunningAndItsStoreToOthers() async throws {
        let first = try await TestService()
        let folder = try Folder()
        let path = folder.path("sessions.db")
        let error = await #expect(throws: FlowError.self) {
            _ = try await TestService { options, _ in
                options.port = first.port
                options.store = path
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
        let second = try await TestService { options, _ in options.store = path }
        let made = try await second.ask(
            .post("/sessions", ["flow": "counter", "id": "a"], [second.bearer]))
        #expect(made.status == 201)
        await second.service.drain()
        await first.service.drain()
    }

    @Test func aServiceServesUntilItsTaskIsCancelledOrItsStoreIsRemoved() async throws {
        let folder = try Folder(["counter.lua": TestService.counter])
        var options = ServiceOptions(
            flows: [
                .init(file: folder.path("counter.lua"), options: FlowOptions(limits: .unhurried))
            ],
            store: folder.path("sessions.db"))
        options.port = 0
        options.limits.setTimesUnreached()
        options.limits.drainTime = .unreached
        let serving = Task { [options] in
            try await FlowService.run(options) { service in
                let ready = RawRequest.get("/readyz").text
                let answer = try? await RawAnswer(to: ready, port: service.port)
                #expect(answer?.status == 200)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        #expect(try await serving.value)
        #expect(try folder.names() == ["counter.lua", "sessions.db"])
        let error = await #expect(throws: FlowError.self) {
            try await FlowService.run(options) { _ in unlink(folder.path("sessions.db")) }
        }
        #expect(error?.cause is StoreError)
    }

    @Test func theErrorForAStoreThatCannotBeUsedHasThatOfTheStoreAsItsCause() async throws {
        let folder = try Folder(["sessions.db": "no store"])
        let error = await #expect(throws: FlowError.self) {
            _ = try await TestService { options, _ in
                options.store = folder.path("sessions.db")
            }
        }
        let cause = try #require(error?.cause as? StoreError)
        #expect(cause.code == .foreign)
        #expect(cause.message == error?.message)
    }
}
