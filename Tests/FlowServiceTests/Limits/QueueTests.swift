import Dispatch
import HTTPServing
import PlainValue
import RawHTTP
import Synchronization
import Testing
import WorkflowKit

@testable import FlowService

struct QueueTests {
    @Test func requestsBeyondTheMostAreToldToAskAgainAndOtherSessionsGoOn() async throws {
        let queues = SessionQueues(most: 2)
        try await queues.with("a") {
            try await queues.with("a") {
                let problem = await #expect(throws: Problem.self) { try await queues.with("a") {} }
                #expect(problem?.status == .serviceUnavailable)
                #expect(problem?.code == "busy")
                #expect(problem?.retryAfter == 1)
                #expect(problem?.detail == "At most 2 are taken at a time. Ask again.")
                try await queues.with("b") {}
            }
            try await queues.with("a") {}
        }
    }

    @Test func aRequestThatHasEndedOrFailedHasLeftAndNothingIsKeptOfIt() async throws {
        let queues = SessionQueues(most: 1)
        for _ in 0..<2 {
            await #expect(throws: Problem.self) {
                try await queues.with("a") { throw Problem.tooLarge(1) }
            }
        }
        #expect(queues.count(for: "a") == 0)
    }

    @Test func aBusySessionRefusesWhatComesThenAndGoesOnAfterwards() async throws {
        let time = HeldTime()
        let service = try await TestService { options, _ in
            options.limits.queue = 1
            options.flows[0].options.now = { time.now() }
        }
        let header = [service.bearer]
        let made = try await service.ask(
            .post("/sessions", ["flow": "counter", "id": "a"], header))
        #expect(made.status == 201)
        let add = RawRequest.post("/sessions/a/actions", ["action": ["type": "add"]], header)
        time.hold()
        async let first = service.ask(add)
        await time.untilHeld()
        for request in [add, .get("/sessions/a", header)] {
            let refused = try await service.ask(request)
            #expect(refused.status == 503)
            #expect(refused.code == "busy")
            #expect(refused.header("Retry-After") == "1")
        }
        time.letGo()
        #expect(try await first.status == 200)
        #expect(try await service.ask(add).body.contains(#""count":2"#))
        let metrics = try await service.get("/metrics", []).body
        #expect(metrics.contains(#"workflow_refused_requests_total{reason="busy"} 2"#))
        await service.service.drain()
    }
}

/// A clock whose next reader can be blocked.
private final class HeldTime: Sendable {
    private let holds = Mutex(false)
    private let go = DispatchSemaphore(value: 0)
    private let (held, report) = AsyncStream<Void>.makeStream()

    func hold() { holds.withLock { $0 = true } }

    func untilHeld() async { for await _ in held { return } }

    func letGo() { go.signal() }

    func now() -> Int {
        let isHeld = holds.withLock { holds in
            defer { holds = false }
            return holds
        }
        if isHeld {
            report.yield()
            go.wait()
        }
        return FlowOptions.wallClock()
    }
}
