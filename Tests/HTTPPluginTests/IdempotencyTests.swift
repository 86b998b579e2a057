import HTTPPlugin
import NIOHTTP1
import PlainValue
import PluginStage
import Testing
import WorkerKit

@Suite struct IdempotencyTests {
    private static let identity = WorkerIdentity(
        session: "s", step: 1, node: "flow", name: "http.request", started: 5, attempt: 2)

    private func key(
        _ method: String, headers: Value = [:], _ identity: WorkerIdentity? = Self.identity
    ) async throws -> [String?] {
        let server = try await TestServer { request in
            request.path == "/" ? .redirect(307, to: "/next") : .text("done")
        }
        let running = identity.map { RunningWorker(identity: $0) }
        _ = try await RunningWorker.$current.withValue(running) {
            try await run(
                "http.request",
                ["url": .string(server.url), "method": .string(method), "headers": headers],
                allowing: [server.grant])
        }
        return server.requests.map { $0.headers.first(name: "Idempotency-Key") }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func aRequestThatChangesSomethingSaysWhichRunItIs(_ method: String) async throws {
        let text = "s/1/5/flow/http.request/"
        #expect(try await key(method) == [text, text])
    }

    @Test func aRequestThatChangesNothingDoesNot() async throws {
        #expect(try await key("GET") == [nil, nil])
    }

    @Test func theKeyOfTheFlowIsTaken() async throws {
        #expect(try await key("POST", headers: ["idempotency-key": "mine"]) == ["mine", "mine"])
    }

    @Test func outsideOfASessionThereIsNone() async throws {
        #expect(try await key("POST", nil) == [nil, nil])
    }
}
