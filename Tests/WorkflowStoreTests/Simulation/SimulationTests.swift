import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowStore

/// Three hosts on one store, with faults that seeds choose, in virtual time.
/// `SIMULATIONS=n` runs n seeds, and `SEED=n` prints all that happens with one.
@Suite struct SimulationTests {
    /// Scripts run on threads of their own.
    private static let threads = WorkerThreads(limit: ProcessInfo.processInfo.activeProcessorCount)

    private static let lotCount = 10
    private static let seedCount = number("SIMULATIONS") ?? 600

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    private func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await Task(executorPreference: Self.threads) { try body() }.value
    }

    @Test(arguments: 0..<lotCount)
    func whateverFailsWhatWasAcknowledgedIsKeptOnce(_ lot: Int) async throws {
        let size = Self.seedCount / Self.lotCount
        let (failed, answers, time) = try await run {
            let clock = ThreadClock()
            let start = clock.now
            var failed: [(seed: UInt64, violations: [String])] = []
            var answers = 0
            for seed in (lot * size)..<((lot + 1) * size) {
                let outcome = try Simulation.run(UInt64(seed))
                answers += outcome.answerCount
                if !outcome.violations.isEmpty { failed.append((UInt64(seed), outcome.violations)) }
            }
            return (failed, answers, clock.now - start)
        }
        print(time / size, "of processor time a seed")
        for (seed, violations) in failed.prefix(10) {
            Issue.record("SEED=\(seed): \(violations.joined(separator: "; "))")
        }
        #expect(failed.count == 0)
        #expect(answers >= 5 * size)
    }

    @Test(.enabled(if: number("SEED") != nil))
    func theSeedThatSEEDSaysIsPlayedAlone() async throws {
        let seed = UInt64(Self.number("SEED") ?? 0)
        let outcome = try await run { try Simulation.run(seed, keepsTrace: true) }
        print(outcome.trace.joined(separator: "\n"))
        print(outcome.callCount, "calls", outcome.jobCount, "jobs")
        #expect(outcome.violations == [])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func aSeedGivesTheSameRunAgain(_ seed: UInt64) async throws {
        let (one, other) = try await run {
            (try Simulation.run(seed, keepsTrace: true), try Simulation.run(seed, keepsTrace: true))
        }
        #expect(one.digest == other.digest)
        #expect(one.jobCount == other.jobCount)
        let place = zip(one.trace, other.trace).prefix { $0 == $1 }.count
        #expect(
            Array(one.trace.dropFirst(place).prefix(3))
                == Array(other.trace.dropFirst(place).prefix(3)))
        #expect(one.callCount > 50)
    }

    @Test func aHostWhoseBeatIsNotAnsweredStopsItsWorkersBeforeAnotherRunsThem() async throws {
        let work = try await run {
            let scheduler = SeededScheduler(seed: 0)
            let store = MemorySessionStore(
                patience: StoreBeat.patience, now: { 1 + Int(scheduler.time / .milliseconds(1)) })
            let work = Collected<String>()
            let hosts = try ["one", "two"].map { name in
                try SimulatedHost(
                    scheduler, store, limit: 1, hasReaders: false, duration: .seconds(60),
                    tell: { _ in },
                    onWork: { _, begins in work.add("\(name) \(begins ? "begins" : "ends")") })
            }
            for action in [nil, ["type": "ask", "key": "a"]] as [Value?] {
                let key = RequestKey("\(action == nil)", digest: 0)
                hosts[0].take(.init(session: "a", action: action, key: key)) { _ in }
                scheduler.run(until: scheduler.time + .seconds(1))
            }
            hosts[0].link.beatDelay = .seconds(5)
            scheduler.run(until: .seconds(6))
            defer {
                for host in hosts { host.end() }
                scheduler.run(until: .seconds(100))
            }
            return work.all
        }
        #expect(work == ["one begins", "one ends", "two begins"])
    }

    /// Seeds that found a fault of the product once.
    @Test(arguments: [206, 214, 279, 342, 351, 1109, 1552])
    func aSeedThatFoundAFaultFindsNone(_ seed: UInt64) async throws {
        #expect(try await run { try Simulation.run(seed) }.violations == [])
    }

    /// The seeds are some before the first that finds it.
    @Test(arguments: zip(MemorySessionStore.Flaw.allCases, [2200, 0, 0, 0]))
    func aPromiseThatIsBrokenOnPurposeIsFound(_ flaw: MemorySessionStore.Flaw, _ start: UInt64)
        async throws
    {
        let found = try await run {
            try (start..<start + 400).first { seed in
                try !Simulation.run(seed, flaw: flaw).violations.isEmpty
            }
        }
        print("\(flaw) is found with the seed", found.map { "\($0)" } ?? "none")
        #expect(found != nil)
    }
}
