import HTTPServing
import PlainValue
import RawHTTP
import Synchronization
import Testing

@testable import FlowService

struct RateTests {
    @Test func aBucketFillsWithTimeAndIsOfOneName() throws {
        let time = TestTime()
        let rates = RateLimits(rate: 2, now: { time.now })
        func problem(_ name: String) -> Problem? {
            do throws(Problem) { try rates.take(name) } catch { return error }
            return nil
        }
        #expect(problem("ada") == nil)
        #expect(problem("ada") == nil)
        let refused = try #require(problem("ada"))
        #expect(refused.status == .tooManyRequests)
        #expect(refused.code == "rate")
        #expect(refused.detail == "At most 2 a second are taken of one who asks.")
        #expect(refused.retryAfter == 1)
        #expect(problem("bob") == nil)
        time.move(by: .milliseconds(499))
        #expect(problem("ada") != nil)
        time.move(by: .milliseconds(1))
        #expect(problem("ada") == nil)
        #expect(problem("ada") != nil)
        time.move(by: .seconds(100))
        // No more than the allowed burst.
        #expect(
            [problem("ada"), problem("ada"), problem("ada")].map { $0 == nil } == [
                true, true, false,
            ])
    }

    @Test func namesOfLongAgoAreForgotten() throws {
        let time = TestTime()
        let rates = RateLimits(rate: 10, now: { time.now })
        for number in 0..<100_000 {
            try rates.take("\(number)")
            time.move(by: .milliseconds(1))
        }
        #expect(rates.count <= 4097)
    }

    @Test func tooManyRequestsGet429AndAreToldWhenToAskAgain() async throws {
        let server = try await TestRoutes { $0.rate = 1 }
        // However long the first one takes, among many some come within a second of another.
        var refused: RawAnswer?
        while refused == nil {
            let answer = try await server.ask(.get("/name"))
            if answer.status != 200 { refused = answer }
        }
        #expect(refused?.status == 429)
        #expect(refused?.json["title"] == "Too many requests")
        #expect(refused?.header("Retry-After") == "1")
        #expect(server.metrics.text.contains(#"workflow_refused_requests_total{reason="rate"} 1"#))
        await server.listener.close()
    }
}

struct MemoryTests {
    @Test func whileTooMuchMemoryIsUsedNothingIsChangedAndReadsGoOn() async throws {
        let server = try await TestRoutes { $0.hostMemory = 1 }
        let answer = try await server.ask(.post("/echo", ["a": 1]))
        #expect(answer.status == 503)
        #expect(answer.code == "overloaded")
        #expect(answer.header("Retry-After") == "1")
        #expect(try await server.ask(.get("/name")).status == 200)
        await server.listener.close()
    }

    @Test func memoryIsLookedAtNowAndThenAndChangesGoOnWhenThereIsLess() throws {
        let time = TestTime()
        let bytes = Mutex(100)
        let memory = HostMemory(
            limit: 100, now: { time.now }, resident: { bytes.withLock { $0 } })
        try memory.check()
        bytes.withLock { $0 = 101 }
        try memory.check()
        time.move(by: .milliseconds(100))
        #expect(throws: Problem.self) { try memory.check() }
        bytes.withLock { $0 = 100 }
        #expect(throws: Problem.self) { try memory.check() }
        time.move(by: .milliseconds(100))
        try memory.check()
    }

    @Test func theSystemSaysHowMuchMemoryIsUsed() {
        #expect(HostMemory.residentBytes > 1 << 20)
    }
}

/// A clock that stands still unless it is moved.
final class TestTime: Sendable {
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }
    func move(by duration: Duration) { time.withLock { $0 += duration } }
}
