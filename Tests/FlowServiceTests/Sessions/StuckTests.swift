import Dispatch
import LuaVM
import PlainValue
import RawHTTP
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@testable import FlowService

struct StuckTests {
    private static let flow = """
        return {
            name = "jammed",
            state = { n = 0, jams = false },
            apply = {
                add = function(state) state.n = state.n + 1 end,
                jam = function(state) state.jams = true end,
            },
            render = function(state, context)
                if state.jams then context:render("jam", {}) end
                return { n = state.n }
            end,
        }
        """

    private let gate = DispatchSemaphore(value: 0)

    /// A service whose flow `jammed` blocks in its action `jam` until the gate is open.
    private func serve() async throws -> TestService {
        let flows = ["counter.lua": TestService.counter, "jammed.lua": Self.flow]
        let service = try await TestService(flows) { [gate] options, _ in
            options.flows[1].options.limits.timeLimit = .seconds(1)
            options.flows[1].options.registerNativeWorkflows = { natives in
                natives.register("jam", props: Empty.Props.self) { _ in
                    gate.wait()
                    return Empty()
                }
            }
        }
        try await service.begin("good")
        let made = try await service.post("/sessions", ["flow": "jammed", "id": "bad"])
        #expect(made.status == 201)
        return service
    }

    @Test func whileACallIsStuckTheServiceIsNotReadyAndOtherSessionsGoOn() async throws {
        let service = try await serve()
        let follower = try await RawClient(port: service.port)
        follower.send(RawRequest.get("/sessions/bad/events", [service.bearer]).text)
        _ = await follower.read(until: "event: rendering")
        #expect(try await service.get("/readyz", []).status == 200)

        let jammed = try await service.post("/sessions/bad/actions", ["action": "jam"])
        #expect(jammed.status == 503)
        #expect(jammed.code == "stuck")
        #expect(jammed.header("Retry-After") == "60")
        #expect(await follower.read().contains("event: bye\ndata: {\"reason\":\"stuck\"}"))

        let ready = try await service.get("/readyz", [])
        #expect(ready.status == 503)
        #expect(ready.code == "stuck")
        #expect(ready.json["calls"] == 1)
        #expect(try await service.get("/healthz", []).status == 200)
        #expect(try await service.get("/metrics", []).body.contains("workflow_stuck_calls 1\n"))
        #expect(try await service.add("good").status == 200)
        #expect(try await service.get("/sessions/bad").code == "stuck")

        #expect(await !service.service.drain())
        gate.signal()
    }

    @Test func aCallThatEndsAfterAllIsNoLongerReportedAndWasNotDone() async throws {
        let service = try await serve()
        let jammed = try await service.post("/sessions/bad/actions", ["action": "jam"])
        #expect(jammed.code == "stuck")
        gate.signal()
        while try await service.get("/readyz", []).status != 200 { await Task.yield() }
        #expect(try await service.get("/sessions/bad").json["step"] == 0)
        let added = try await service.post("/sessions/bad/actions", ["action": "add"])
        #expect(added.status == 200)
        await service.service.drain()
    }
}

private struct Empty: Workflow {
    struct Props: Decodable {}
    struct State: Codable {}

    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Empty>) -> Int { 0 }
}
