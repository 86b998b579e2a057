import HTTPPlugin
import NIOHTTP1
import PlainValue
import PluginStage
import Synchronization
import TestSupport
import Testing
import WorkerKit

@Suite struct RetryTests {
    private func outputs(
        _ server: TestServer, _ retry: Value?, on clock: TestClock, method: String = "GET"
    ) async throws -> [Value] {
        var input: Value.Record = [
            "url": .string(server.url), "method": .string(method), "timeout": 5_000,
        ]
        if let retry { input["retry"] = retry }
        return try await run("http.request", .record(input), allowing: [server.grant], clock: clock)
    }

    private func server(
        _ status: Int, times: Int, _ headers: HTTPHeaders = [:]
    ) async throws -> TestServer {
        let left = Mutex(times)
        return try await TestServer { _ in
            let fails = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return fails ? .whole(status, headers, []) : .text("done")
        }
    }

    @Test(arguments: [429, 502, 503, 504])
    func whatMayPassIsTriedAgainWithWaitsThatGrow(_ status: Int) async throws {
        let server = try await server(status, times: 4)
        let clock = TestClock(.eager, patience: .seconds(1_000))
        let outputs = try await outputs(server, ["most": 1], on: clock, method: "POST")
        #expect(outputs.first?["body"] == "done")
        #expect(server.requests.count == 5)
        let waits = clock.shortWaits
        try #require(waits.count == 4)
        for (wait, longest) in zip(waits, [0.2, 0.4, 0.8, 1]) {
            #expect(wait >= longest / 2 && wait <= longest)
        }
    }

    @Test func theLastAnswerIsGivenWhateverItIs() async throws {
        let server = try await server(503, times: 9)
        let clock = TestClock(.eager, patience: .seconds(1_000))
        let outputs = try await outputs(server, ["attempts": 3], on: clock)
        #expect(outputs.first?["status"] == 503)
        #expect(server.requests.count == 3)
        #expect(clock.shortWaits.count == 2)
    }

    @Test(arguments: [
        ("7", 7.0), ("100", 30), ("0", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 30),
    ]) func aServerSaysHowLongToWait(_ text: String, _ wait: Double) async throws {
        let server = try await server(503, times: 1, ["Retry-After": text])
        let clock = TestClock(.eager, patience: .seconds(1_000))
        #expect(try await outputs(server, [:], on: clock).first?["body"] == "done")
        #expect(clock.shortWaits == [wait])
    }

    @Test(arguments: ["soon", "-", "1e3", ""])
    func whatIsNoTimeIsNotWaitedFor(_ text: String) async throws {
        let server = try await server(503, times: 1, ["Retry-After": text])
        let clock = TestClock(.eager, patience: .seconds(1_000))
        #expect(try await outputs(server, [:], on: clock).first?["body"] == "done")
        #expect(clock.shortWaits.count == 1)
        #expect(clock.shortWaits.allSatisfy { $0 >= 0.1 && $0 <= 0.2 })
    }

    @Test func aConnectionThatBreaksIsMadeAgain() async throws {
        let left = Mutex(2)
        let server = try await TestServer { _ in
            left.withLock { left in
                left -= 1
                return left >= 0 ? .cut : .text("done")
            }
        }
        let clock = TestClock(.eager, patience: .seconds(1_000))
        #expect(try await outputs(server, [:], on: clock).first?["body"] == "done")
        #expect(clock.shortWaits.count == 2)
    }

    @Test func afterTheLastAttemptTheFailureIsTheOneWithoutAny() async throws {
        let server = try await TestServer { _ in .text("") }
        try await server.shutDown()
        var errors: [WorkerError?] = []
        let clock = TestClock(.eager, patience: .seconds(1_000))
        for retry in [nil, ["attempts": 3]] as [Value?] {
            errors.append(
                await #expect(throws: WorkerError.self) {
                    try await outputs(server, retry, on: clock)
                })
        }
        #expect(errors[0]?.code == "unreachable")
        #expect(errors[0] == errors[1])
        #expect(clock.shortWaits.count == 2)
    }

    @Test(arguments: [500, 404, 200]) func otherAnswersAreGivenAtOnce(_ status: Int) async throws {
        let server = try await server(status, times: 9)
        let clock = TestClock(.eager, patience: .seconds(1_000))
        #expect(try await outputs(server, [:], on: clock).first?["status"] == .int(status))
        #expect(clock.shortWaits.isEmpty)
    }

    @Test func withoutTheFieldNothingIsTriedAgain() async throws {
        let server = try await server(503, times: 9)
        let clock = TestClock(.eager, patience: .seconds(1_000))
        #expect(try await outputs(server, nil, on: clock).first?["status"] == 503)
        #expect(server.requests.count == 1)
        #expect(clock.shortWaits.isEmpty)
    }

    @Test(
        arguments: [
            (["attempts": 0], "retry.attempts is 0"), (["attempts": 101], "retry.attempts is 101"),
            (["first": 0], "retry.first is 0"), (["most": 1e9], "retry.most is 1000000000"),
        ] as [(Value, String)])
    func whatIsOutOfRangeIsRefused(_ retry: Value, _ message: String) async throws {
        let server = try await server(503, times: 9)
        let error = await #expect(throws: WorkerError.self) {
            try await outputs(server, retry, on: TestClock(.eager, patience: .seconds(1_000)))
        }
        #expect(error?.code == "bad_input")
        #expect(error?.message == message)
        #expect(server.requests.isEmpty)
    }
}

extension TestClock {
    /// The waits between attempts, in seconds; the others are limits of time.
    fileprivate var shortWaits: [Double] {
        waits.filter { $0 < .seconds(1_000) }.map { $0 / .seconds(1) }
    }
}
