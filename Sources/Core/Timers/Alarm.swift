/// The thread of the process that wakes the sleepers of ``TimerClock``; the first sleep starts it.
package final class Alarm: Sendable {
    package static let shared = Alarm()

    /// The longest wait; unlike the clock it does not count while the machine is suspended.
    private static let patience = Duration.seconds(60)

    private let sleepers = Sleepers(at: ContinuousClock.now)
    /// Signalled for a deadline that is earlier than all that the thread knows.
    private let news = ThreadSemaphore()

    private init() {}

    package var count: Int { sleepers.count }

    func sleep(until deadline: ContinuousClock.Instant) async throws {
        guard Self.isRunning else { return try await ContinuousClock().sleep(until: deadline) }
        guard deadline > .now else { return try Task.checkCancellation() }
        try await sleepers.sleep(until: deadline) { news.signal() }
    }

    /// True if there is a thread; without one the sleepers would wait for ever.
    private static let isRunning = startThread { Alarm.shared.run() }

    private func run() -> Never {
        while true {
            guard let next = sleepers.wake(until: .now) else {
                news.wait()
                continue
            }
            let wait = ContinuousClock.now.duration(to: next)
            if wait > .zero { _ = news.wait(for: min(wait, Self.patience)) }
        }
    }
}
