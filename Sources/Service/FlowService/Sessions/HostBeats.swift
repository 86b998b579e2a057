import Logging
import Synchronization
import Timers
import WorkflowStore

/// The numbers of beats and what they found.
final class BeatCounts: Sendable {
    struct Numbers: Sendable {
        var beats = 0
        var failed = 0
        /// The sessions that were taken over.
        var taken = 0
        /// The times that another service took over the sessions of this one.
        var losses = 0
    }

    private let state = Mutex(Numbers())

    var numbers: Numbers { state.withLock(\.self) }

    func count(_ beat: StoreBeat?) {
        state.withLock { numbers in
            guard let beat else {
                numbers.failed += 1
                return
            }
            numbers.beats += 1
            numbers.taken += beat.taken.count
            if beat.wasLate { numbers.losses += 1 }
        }
    }
}

/// The beats of a service, by which others that use its store know that it is alive.
struct HostBeats: Sendable {
    let store: any SharedSessionStore
    let logger: Logger
    let counts = BeatCounts()
    /// Called with the wake-ups of sessions that the service took over, and of those whose workers
    /// run here and that another service changed.
    let take: @Sendable ([WakeUp]) async -> Void
    /// Called after each beat while there are other services.
    let look: @Sendable () async -> Void
    /// Called when another service took over the sessions of this one, which was late.
    let yield: @Sendable () async -> Void
    /// Called when the service is so late that another one may soon take its sessions over.
    let suspend: @Sendable () async -> Void
    /// Called after that, when it beats again: the sessions that are still this service's go on,
    /// and so do those that it has got meanwhile.
    let goOn: @Sendable () async -> Void
    let fail: @Sendable (StoreError) -> Void
    /// The service's own clock.
    var clock: any Clock<Duration> = TimerClock()
    /// Runs what a beat does not wait for; the global executor by default.
    var executor: (any TaskExecutor)?

    /// The time after the last beat, by the service's own clock, at which it stops its workers.
    /// Those that could take them over measure theirs from the same beat, and a bit later.
    private static let restraint = StoreBeat.patience * 4 / 5

    /// Beats until its task is cancelled, or the store is gone.
    func run() async { await run(by: clock) }

    private func run(by clock: some Clock<Duration>) async {
        var isFailing = false
        var suspension = suspension(since: clock.now, by: clock)
        while (try? await clock.sleep(for: StoreBeat.interval)) != nil {
            let begun = clock.now
            do throws(StoreError) {
                try await beat()
                isFailing = false
                // A slow answer says nothing about the present.
                guard begun.duration(to: clock.now) < Self.restraint else {
                    // But it may report the first other service.
                    suspension = self.suspension(since: begun, by: clock)
                    continue
                }
                suspension.cancel()
                let last = suspension
                Task(executorPreference: executor) {
                    if await last.value { await goOn() }
                }
                suspension = self.suspension(since: begun, by: clock)
            } catch {
                if isGone() { break }
                if !isFailing { logger.error("the store cannot be written: \(error)") }
                isFailing = true
            }
        }
        suspension.cancel()
    }

    /// Stops the workers if the task, whose value then is true, is not cancelled in time after the
    /// beginning of the last beat. The next one may take long.
    private func suspension<C: Clock<Duration>>(
        since last: C.Instant, by clock: C
    ) -> Task<Bool, Never> {
        Task(executorPreference: executor) {
            let end = last.advanced(by: Self.restraint)
            // A service alone does not stop its workers for a slow disk. One that is cut off just
            // when the first other one starts, before a beat tells it so, does not either.
            guard (try? await clock.sleep(until: end, tolerance: nil)) != nil,
                store.hasOtherHosts
            else { return false }
            logger.warning("the service does not beat in time: its workers are stopped")
            // This goes on when the task is cancelled.
            await Task(executorPreference: executor) { await suspend() }.value
            return true
        }
    }

    func beat() async throws(StoreError) {
        let beat: StoreBeat
        do throws(StoreError) { beat = try await store.beat() } catch {
            counts.count(nil)
            throw error
        }
        counts.count(beat)
        if beat.wasLate {
            logger.warning("the sessions were taken over: the service did not beat in time")
            // A session may take long, and the next beat must not.
            Task(executorPreference: executor) { await yield() }
        }
        let wakeUps = beat.taken + beat.changed.map { WakeUp(number: $0, milliseconds: 0) }
        if !wakeUps.isEmpty { await take(wakeUps) }
        if store.hasOtherHosts { await look() }
    }

    private func isGone() -> Bool {
        do throws(StoreError) { try store.checkPlace() } catch {
            fail(error)
            return true
        }
        return false
    }
}
