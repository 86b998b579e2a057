import Testing
import Timers

/// The code of the page of Timers, line for line.
@Suite struct GuideSnippets {
    @Test func aSleepEnds() async throws {
        let clock = TimerClock()
        let begun = clock.now
        try await clock.sleep(for: .milliseconds(1))
        print(clock.now - begun >= .milliseconds(1))  // true
        #expect(clock.now - begun >= .milliseconds(1))
    }

    @Test func aCancelledSleepThrows() async {
        let clock = TimerClock()
        let reminder = Task { try await clock.sleep(for: .seconds(86_400)) }
        reminder.cancel()
        let result = await reminder.result
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test func workEndsWithinALimit() async throws {
        let work = { @Sendable in "done" }
        let found = await withTaskGroup { group in
            group.addTask { work() as String? }
            group.addTask {
                try? await TimerClock().sleep(for: .seconds(400))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        print(found ?? "too late")
        #expect(found == "done")
    }
}
