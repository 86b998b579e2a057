import HTTPServing
import HTTPTypes
import Logging
import PlainValue
import RawHTTP
import Testing
import WorkflowLua
import WorkflowStore

@testable import FlowService

struct FaultTests {
    @Test func clientsAreToldThatThereIsAFaultAndTheLogWhichOneAsAnError() async throws {
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
            messages.faults == ["there is no space left for /srv/sessions.db; make room"])
        await server.listener.close()
    }

    @Test func theCauseOfAnUnknownOutcomeIsAFaultToo() {
        var error = StoreError(.unknown, "it may be kept or not", help: "ask again")
        error.notes = ["/srv/sessions.db cannot be read"]
        let problem = Problem(error)
        #expect(problem.detail == "it may be kept or not; ask again")
        #expect(problem.report == error.description)
        #expect(problem.isFault)
    }

    @Test(
        arguments: [
            ("invalid amount", "refused"), ("attempt to overdraw", "refused"),
            ("bad luck", "refused"), ("attempt to index a nil value (local 'x')", "lua"),
            ("attempt to perform arithmetic on a nil value", "lua"), ("assertion failed!", "lua"),
            ("bad argument #1 to 'rep' (string expected, got nil)", "lua"),
            ("context.props is read-only", "lua"), ("context has no field 'x'", "lua"),
        ])
    func whatTheFlowRefusesHasAnotherCodeThanAMistakeInIt(message: String, code: String) {
        var error = FlowError(.lua, message)
        error.phase = .apply("add")
        let problem = Problem(error)
        #expect(problem.code == code)
        #expect(problem.members["error"]?["code"] == .string(code))
        // A render cannot refuse anything.
        error.phase = .render
        #expect(Problem(error).code == "lua")
    }

    @Test func aWrongRequestIsNotAFault() {
        #expect(!Problem(StoreError(.notFound, "there is no session 'a'")).isFault)
        #expect(!Problem(StoreError(.busy, "it is busy")).isFault)
        #expect(!Problem(FlowError(.unknownAction, "there is no action 'a'")).isFault)
    }

    @Test func theLogIsToldThePlaceOfAFlowsErrorAndWhyASessionNoLongerFits() {
        var error = FlowError(.lua, "attempt to index a nil value")
        error.location = FlowError.Location(file: "flow.lua", line: 12)
        let problem = Problem(error)
        #expect(!problem.detail.contains("flow.lua"))
        #expect(problem.report == "flow.lua:12: attempt to index a nil value")
        #expect(!problem.isFault)
        error = FlowError(.snapshot, "the snapshot does not fit the flow")
        error.notes = ["flow cannot go on: the price is missing"]
        let changed = Problem(error)
        #expect(!changed.detail.contains("price"))
        #expect(
            changed.report
                == "the snapshot does not fit the flow; flow cannot go on: the price is missing")
        #expect(changed.isFault)
    }
}
