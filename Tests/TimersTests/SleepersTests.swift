import TestSupport
import Testing

@testable import Timers

@Suite struct SleepersTests {
    private let sleepers = Sleepers(at: start)

    private func sleeper(until time: Int) -> Task<Void, any Error> {
        Task { [sleepers] in try await sleepers.sleep(until: start + .seconds(time)) }
    }

    private func sleeping(_ count: Int) async {
        while sleepers.count != count { await Task.yield() }
    }

    @Test func aRandomCourseIsThatOfAModel() async throws {
        var numbers = SeededNumbers.printed()
        var now = 0
        var asleep: [(time: Int, task: Task<Void, any Error>)] = []
        for _ in 0..<3000 {
            switch Int.random(in: 0..<8, using: &numbers) {
            case 0..<4:
                let time = now + Int.random(in: -3...40, using: &numbers)
                let task = sleeper(until: time)
                if time <= now {
                    try await task.value
                } else {
                    asleep.append((time, task))
                    await sleeping(asleep.count)
                }
            case 4..<6:
                guard let index = asleep.indices.randomElement(using: &numbers) else { continue }
                let task = asleep.remove(at: index).task
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            default:
                now += Int.random(in: 0...9, using: &numbers)
                let next = sleepers.wake(until: start + .seconds(now))
                for sleeper in asleep where sleeper.time <= now { try await sleeper.task.value }
                asleep.removeAll { $0.time <= now }
                #expect(next == asleep.map(\.time).min().map { start + .seconds($0) })
            }
            #expect(sleepers.count == asleep.count)
        }
        for sleeper in asleep { sleeper.task.cancel() }
        await sleeping(0)
    }

    @Test func cancelledSleepsLeaveNothing() async {
        for _ in 0..<1000 {
            let tasks = (1...100).map { _ in sleeper(until: 3_155_760_000) }
            await sleeping(100)
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
            #expect(sleepers.count == 0)
        }
    }

    @Test func aTaskThatIsCancelledAlreadyDoesNotSleep() async {
        let gate = AsyncStream<Void>.makeStream()
        let task = Task { [sleepers] in
            for await _ in gate.stream {}
            try await sleepers.sleep(until: start + .seconds(1))
        }
        task.cancel()
        gate.continuation.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sleepers.count == 0)
    }

    @Test func onlyAnEarlierDeadlineIsTold() async throws {
        let (told, continuation) = AsyncStream<Int>.makeStream()
        for (count, time) in [30, 20, 20, 40, 10].enumerated() {
            Task { [sleepers] in
                try await sleepers.sleep(until: start + .seconds(time)) { continuation.yield(time) }
            }
            await sleeping(count + 1)
        }
        #expect(sleepers.next == start + .seconds(10))
        sleepers.wake(until: start + .seconds(40))
        #expect(sleepers.next == nil)
        continuation.finish()
        var earlier: [Int] = []
        for await time in told { earlier.append(time) }
        #expect(earlier == [30, 20, 10])
    }
}
