import FlowService
import PlainValue
import RawHTTP
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowPlugins

/// Outputs of workers that the flow refused, and that are given again.
@Suite struct RetryTests {
    private struct Giver: EmittingPluginWorker {
        static let name = "test.give"
        static let summary = "Gives two numbers."

        struct Input: Codable, Sendable {}

        func run(_ input: Input, context: WorkerContext, outputs: WorkerEmitter<Int>) async throws {
            try await outputs.send(1)
            try await outputs.send(2)
        }
    }

    private static let flow = """
        return {
            name = "sum",
            state = { sum = 0, limit = 0 },
            access = function(who, what) return what["do"] ~= "retry" or who.name ~= "bob" end,
            apply = {
                add = function(state, action)
                    if action.output > state.limit then error "too much" end
                    state.sum = state.sum + action.output
                end,
                raise = function(state) state.limit = state.limit + 1 end,
            },
            render = function(state, context)
                context:run("test.give", {}, { key = "k", on_output = "add" })
                return { sum = state.sum }
            end,
        }
        """

    /// A service with a session whose worker has given both numbers in vain.
    private func begin() async throws -> TestService {
        let registry = try WorkerRegistry([Plugin("test", version: "1", workers: [Giver()])])
        let service = try await TestService(["sum.lua": Self.flow]) { options, folder in
            options.flows[0].options.plugins = registry
        }
        _ = try await service.post("/sessions", ["flow": "sum", "id": "a"])
        while try await refused(service) < 2 { await Task.yield() }
        return service
    }

    /// The number of outputs that are kept.
    private func refused(_ service: TestService) async throws -> Int {
        let snapshot = try await service.get("/sessions/a/snapshot").json.json
        return snapshot.ranges(of: "\"reason\"").count
    }

    private func raise(_ service: TestService) async throws {
        _ = try await service.post("/sessions/a/actions", ["action": "raise"])
    }

    @Test func whatTheFlowTakesNowIsAStepAndTheRestIsKept() async throws {
        let service = try await begin()
        let worker: Value = ["node": "sum", "worker": "test.give", "key": "k"]
        // Nothing is taken yet.
        let refused = try await service.post("/sessions/a/retry", worker)
        #expect(refused.status == 409)
        #expect(refused.json["detail"]?.string?.contains("too much") == true)
        try await raise(service)
        let first = try await service.post("/sessions/a/retry", worker)
        #expect(first.status == 409)
        #expect(first.json["session"]?["rendering"]?["sum"] == 1)
        try await raise(service)
        let second = try await service.post("/sessions/a/retry")
        #expect(second.status == 200)
        #expect(second.json["rendering"]?["sum"] == 3)
        #expect(second.json["step"] == 5)
        // The end of the worker was a step too. Nothing is left.
        #expect(try await service.post("/sessions/a/retry", worker).json["step"] == 5)
        #expect(try await service.post("/sessions/a/retry", ["worker": "test.give"]).status == 400)
        #expect(try await service.post("/sessions/a/retry", ["name": "x"]).status == 400)
        #expect(try await service.post("/sessions/a/retry", ["node": "sum"]).status == 400)
        let odd = try await service.post("/sessions/a/retry", ["node": "/", "worker": "x"])
        #expect(odd.code == "unknown_node")
        _ = try await service.post("/sessions/a/undo")
        #expect(try await service.post("/sessions/a/retry").code == "misuse")
        await service.service.drain()
    }

    @Test func thePageOfASessionShowsWhatWasRefusedAndGivesItAgain() async throws {
        let service = try await begin()
        let page = try await InspectorClient(service, "a")
        func reasons() async throws -> [String?] {
            let node = try await page.value(["do": "node", "path": "sum"])
            let refused = node["workers"]?.list?.first?["refused"]?.list ?? []
            return refused.map { $0["reason"]?.string }
        }
        #expect(page.hello["lacks"]?.list?.contains("retry") == false)
        #expect(try await reasons().count == 2)
        #expect(try await reasons().first??.hasSuffix("too much") == true)
        try await raise(service)
        try await raise(service)
        let retry: Value = ["do": "retry", "node": "sum", "worker": "test.give", "key": "k"]
        #expect(try await page.ask(retry).json["ok"] == true)
        #expect(try await page.shown("sum") == 3)
        #expect(try await reasons().isEmpty)
        await service.service.drain()
    }
}
