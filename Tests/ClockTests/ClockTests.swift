import Clock
import PlainValue
import Synchronization
import Testing
import WorkerKit

/// A clock on which waiting takes no time.
private final class Eager: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant
    private let time = Mutex(ContinuousClock().now)
    let start: Instant

    init() { start = time.withLock { $0 } }

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    var passed: Duration { start.duration(to: now) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline) }
    }

    func pass(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// Ends a run that would never end.
private struct Enough: Error {}

@Suite struct ClockTests {
    private func worker(_ name: String) throws -> WorkerDefinition {
        try #require(ClockPlugin.plugin.workers.first { $0.name == name })
    }

    @Test func theWorkersTellTheirShapes() {
        #expect(
            ClockPlugin.plugin.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "clock.after { seconds: number, restore?: string } -> { seconds: number }",
                "clock.every { seconds: number, restore?: string } -> { tick: integer }",
            ])
    }

    @Test func afterWaitsOnTheClockOfTheSession() async throws {
        let clock = Eager()
        let outputs = Mutex<[Value]>([])
        try await worker("clock.after").run(
            ["seconds": 2.5], context: WorkerContext(clock: clock),
            outputs: WorkerEmitter { value in outputs.withLock { $0.append(value) } })
        #expect(outputs.withLock { $0 } == [["seconds": 2.5]])
        #expect(clock.passed == .seconds(2.5))
    }

    @Test func everyTicksWithoutDriftAndLeavesOutWhatItMissed() async throws {
        let clock = Eager()
        let ticks = Mutex<[Value]>([])
        let every = try worker("clock.every")
        await #expect(throws: Enough.self) {
            try await every.run(
                ["seconds": 2], context: WorkerContext(clock: clock),
                outputs: WorkerEmitter { value in
                    let count = ticks.withLock { ticks in
                        ticks.append(value)
                        return ticks.count
                    }
                    if count == 2 { clock.pass(.seconds(7)) }
                    if count == 5 { throw Enough() }
                })
        }
        #expect(ticks.withLock { $0.map { $0["tick"] } } == [1, 2, 5, 6, 7])
        #expect(clock.passed == .seconds(14))
    }

    @Test(arguments: ["clock.after", "clock.every"])
    func aWayToRestoreThatThereIsNotIsRefused(name: String) async throws {
        let worker = try worker(name)
        let error = await #expect(throws: WorkerError.self) {
            try await worker.run(
                ["seconds": 1, "restore": "later"], context: WorkerContext(clock: Eager()),
                outputs: WorkerEmitter { _ in })
        }
        #expect(
            error
                == WorkerError(
                    "bad_input", #"restore is "later""#,
                    help: "it can be deadline, remaining, restart"))
    }

    @Test(arguments: [
        ("clock.after", -1.0, "-1", "0"), ("clock.every", 0, "0", "0.001"),
        ("clock.after", 1e300, "1e+300", "0"),
    ])
    func aTimeOutOfRangeIsRefused(
        name: String, seconds: Double, said: String, least: String
    ) async throws {
        let worker = try worker(name)
        let error = await #expect(throws: WorkerError.self) {
            try await worker.run(
                ["seconds": .double(seconds)], context: WorkerContext(clock: Eager()),
                outputs: WorkerEmitter { _ in })
        }
        #expect(
            error
                == WorkerError(
                    "bad_input", "seconds is \(said)",
                    help: "it can be from \(least) to 3155760000"))
    }
}
