import HTTPServing
import HTTPTypes
import Logging
import PlainValue
import RawHTTP
import Testing
import WorkflowStore

@testable import FlowService

@Suite("Faults of the computer")
struct FaultTests {
    @Test("Clients are told that there is one; the log is told which, with the level of an error")
    func full() async throws {
        let messages = Messages()
        let error = StoreError(
            .full, "there is no space left for /srv/sessions.db", help: "make room")
        let route = Route(.get, "/full", .read) { _ throws(Problem) in throw Problem(error) }
        let server = try await TestRoutes(
            logger: Logger(label: "test", factory: { _ in messages }), [route])
        let answer = try await server.ask(.get("/full"))
        #expect(answer.status == 503)
        #expect(answer.code == "full")
        #expect(answer.header("Retry-After") == "1")
        #expect(!answer.body.contains("/srv"))
        #expect(
            messages.faults == [
                "there is no space left for /srv/sessions.db; make room"
            ])
        await server.listener.close()
    }

    @Test("What an unknown outcome comes of is a fault too")
    func unknown() {
        var error = StoreError(.unknown, "it may be kept or not", help: "ask again")
        error.notes = ["/srv/sessions.db cannot be read"]
        let problem = Problem(error)
        #expect(problem.detail == "it may be kept or not; ask again")
        #expect(problem.fault == error.description)
    }

    @Test("What is asked wrong is none")
    func others() {
        #expect(Problem(StoreError(.notFound, "there is no session 'a'")).fault == nil)
        #expect(Problem(StoreError(.busy, "it is busy")).fault == nil)
    }
}
