import Dispatch
import TestSupport
import Testing

@testable import Timers

@Suite struct TimerClockTests {
    private let clock = TimerClock()

    @Test func sleepersWakeWhenTheyAreDue() async throws {
        for time in [Duration.zero, .seconds(-1), .nanoseconds(1), .milliseconds(2)] {
            let begin = clock.now
            try await clock.sleep(for: time)
            #expect(clock.now >= begin + time)
        }
    }

    @Test(arguments: [
        Duration.seconds(3_155_760_000), .seconds(Int64.max), .nanoseconds(Int64.max),
    ]) func aDeadlineMayBeFarAway(time: Duration) async {
        let task = Task { try await clock.sleep(for: time) }
        // Others that are due meanwhile wake.
        try? await clock.sleep(for: .milliseconds(1))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [Duration.seconds(Int64.min), .nanoseconds(Int64.min), .zero])
    func aDeadlineThatHasPassedIsNoWait(time: Duration) async throws {
        try await clock.sleep(for: time)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: time)
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }

    /// Sleeps end whoever cancels them when, and none is lost.
    @Test func manyThreadsSleepAndCancel() async throws {
        var numbers = SeededNumbers.printed()
        await withTaskGroup { group in
            for _ in 0..<16 {
                let own = SeededNumbers(seed: numbers.next())
                group.addTask { await sleepAndCancel(own) }
            }
        }
        // Other tests of the process have few sleepers.
        #expect(Alarm.shared.count < 1000)
    }

    private func sleepAndCancel(_ numbers: SeededNumbers) async {
        var numbers = numbers
        for _ in 0..<100 {
            var due: [Task<Void, any Error>] = []
            var far: [Task<Void, any Error>] = []
            for _ in 0..<20 {
                let short = Duration.microseconds(Int.random(in: -20...300, using: &numbers))
                due.append(Task { try await clock.sleep(for: short) })
                let long = Duration.seconds(Int.random(in: 100_000...10_000_000, using: &numbers))
                far.append(Task { try await clock.sleep(for: long) })
            }
            far.shuffle(using: &numbers)
            let cancelled = far
            DispatchQueue.global().async { for task in cancelled { task.cancel() } }
            for task in due { await #expect(throws: Never.self) { try await task.value } }
            for task in far {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
        }
    }
}
