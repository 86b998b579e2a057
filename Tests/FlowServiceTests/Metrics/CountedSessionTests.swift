import PlainValue
import RawHTTP
import Testing

@testable import FlowService

struct CountedSessionTests {
    @Test func inputsAreCountedByFlowAndCommitsByTheirSizes() async throws {
        let service = try await TestService()
        let header = [service.bearer]
        let made = try await service.ask(
            .post("/sessions", ["flow": "counter", "id": "a"], header))
        #expect(made.status == 201)
        for _ in 0..<3 {
            let answer = try await service.ask(
                .post("/sessions/a/actions", ["action": ["type": "add"]], header))
            #expect(answer.status == 200)
        }
        let text = try await service.get("/metrics", []).body
        #expect(text.contains("\nworkflow_inputs_total{flow=\"counter\"} 3\n"))
        // Creating the session is a change too.
        #expect(text.contains("\nworkflow_commit_changes_bucket{le=\"1\"} 4\n"))
        #expect(text.contains("\nworkflow_open_sessions 1\n"))
        await service.service.drain()
    }
}
