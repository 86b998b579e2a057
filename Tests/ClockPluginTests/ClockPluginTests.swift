import ClockPlugin
import PlainValue
import PluginStage
import Synchronization
import TestSupport
import Testing
import WorkerKit

/// Ends a run that would never end.
private struct Enough: Error {}

@Suite struct ClockPluginTests {
    private func worker(_ name: String) throws -> WorkerDefinition {
        try ClockPlugin.plugin.worker(name)
    }

    @Test func theWorkersTellTheirShapes() {
        #expect(
            ClockPlugin.plugin.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "clock.after { seconds: number, restore?: string } -> { seconds: number }",
                "clock.every { seconds: number, restore?: string } -> { tick: integer }",
            ])
    }

    @Test func afterWaitsOnTheClockOfTheSession() async throws {
        let clock = TestClock(.eager)
        let outputs = try await worker("clock.after")
            .outputs(of: ["seconds": 2.5], in: WorkerContext(clock: clock))
        #expect(outputs == [["seconds": 2.5]])
        #expect(clock.passed == .seconds(2.5))
    }

    @Test func everyTicksWithoutDriftAndLeavesOutWhatItMissed() async throws {
        let clock = TestClock(.eager)
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

    /// The first ticks of a run on a clock on which waiting takes no time.
    private func ticks(
        _ count: Int, every seconds: Double, after resumption: WorkerResumption? = nil
    ) async throws -> [Int] {
        let ticks = Mutex<[Int]>([])
        let every = try worker("clock.every")
        await WorkerResumption.$current.withValue(resumption) {
            await #expect(throws: Enough.self) {
                try await every.run(
                    ["seconds": .double(seconds), "restore": "remaining"],
                    context: WorkerContext(clock: TestClock(.eager)),
                    outputs: WorkerEmitter { value in
                        let number = ticks.withLock { ticks in
                            ticks.append(value["tick"]?.int ?? 0)
                            return ticks.count
                        }
                        if number == count { throw Enough() }
                    })
            }
        }
        return ticks.withLock { $0 }
    }

    @Test(arguments: [0.1, 0.7, 1.0 / 3, 2.0 / 3, 0.001, 0.0011, 1e7 / 3])
    func noPeriodMissesATick(_ seconds: Double) async throws {
        #expect(try await ticks(2000, every: seconds) == Array(1...2000))
    }

    /// A quotient of floats such as 0.3 / 0.1 is below the right one, and others are above.
    @Test(arguments: [(0.1, 300, 4), (0.1, 299, 3), (0.7, 4_900, 8), (0.001, 9_007_199, 9_007_200)])
    func aTickThatCameBeforeIsNotSentAgain(
        _ seconds: Double, _ ran: Int, _ next: Int
    ) async throws {
        let resumption = WorkerResumption(ran: .milliseconds(ran), paused: .seconds(9))
        #expect(try await ticks(2, every: seconds, after: resumption) == [next, next + 1])
    }

    @Test(arguments: ["clock.after", "clock.every"])
    func aWayToRestoreThatThereIsNotIsRefused(name: String) async throws {
        let worker = try worker(name)
        let error = await #expect(throws: WorkerError.self) {
            try await worker.outputs(
                of: ["seconds": 1, "restore": "later"], in: WorkerContext(clock: TestClock(.eager)))
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
            try await worker.outputs(
                of: ["seconds": .double(seconds)], in: WorkerContext(clock: TestClock(.eager)))
        }
        #expect(
            error
                == WorkerError(
                    "bad_input", "seconds is \(said)",
                    help: "it can be from \(least) to 3155760000"))
    }
}
