import Logging
import Timers
import WorkflowStore

/// The beats of a service, by which others that use its store know that it is alive.
struct HostBeats: Sendable {
    let store: any SharedSessionStore
    let logger: Logger
    /// Called with the wake-ups of sessions that the service took over.
    let take: @Sendable ([WakeUp]) async -> Void
    /// Called with the numbers of the sessions whose workers run here, and that another service changed.
    let follow: @Sendable ([Int]) async -> Void
    /// Called after each beat while there are other services.
    let look: @Sendable () async -> Void
    /// Called when another service took over the sessions of this one, which had not beaten for long.
    let yield: @Sendable () async -> Void
    /// Called when the service has not beaten for so long that another one may soon take its
    /// sessions over.
    let suspend: @Sendable () async -> Void
    /// Called after that, when it beats again and has kept its sessions.
    let goOn: @Sendable () async -> Void
    /// Called when the store is gone.
    let fail: @Sendable (StoreError) -> Void
    /// The service's own clock.
    var clock: any Clock<Duration> = TimerClock()
    /// Runs what a beat does not wait for; the global executor by default.
    var executor: (any TaskExecutor)?

    /// The time after the last beat, by the service's own clock, at which it stops its workers. Those
    /// that could take them over measure theirs from the same beat, and a bit later.
    private static let restraint = StoreBeat.patience * 4 / 5

    /// Beats until its task is cancelled, or the store is gone.
    func run() async { await run(by: clock) }

    private func run(by clock: some Clock<Duration>) async {
        var isFailing = false
        var last = clock.now
        var suspending: Task<Void, Never>?
        while (try? await clock.sleep(for: StoreBeat.interval)) != nil {
            let begun = clock.now
            if suspending == nil, store.hasOtherHosts, last.duration(to: begun) > Self.restraint {
                logger.warning("the service does not beat in time: its workers are stopped")
                // A session may take long, and the next beat must not.
                suspending = Task(executorPreference: executor) { await suspend() }
            }
            do throws(StoreError) {
                let wasLate = try await beat()
                (isFailing, last) = (false, begun)
                if let suspended = suspending, !wasLate {
                    Task(executorPreference: executor) {
                        await suspended.value
                        await goOn()
                    }
                }
                suspending = nil
            } catch {
                if isGone() { return }
                if !isFailing { logger.error("the store cannot be written: \(error)") }
                isFailing = true
            }
        }
    }

    /// Beats once.
    ///
    /// - Returns: Whether another service took over the sessions of this one.
    @discardableResult
    func beat() async throws(StoreError) -> Bool {
        let beat = try await store.beat()
        if beat.wasLate {
            logger.warning("the sessions were taken over: the service did not beat in time")
            // A session may take long, and the next beat must not.
            Task(executorPreference: executor) { await yield() }
        }
        if !beat.taken.isEmpty { await take(beat.taken) }
        if !beat.changed.isEmpty {
            Task(executorPreference: executor) { await follow(beat.changed) }
        }
        if store.hasOtherHosts { await look() }
        return beat.wasLate
    }

    private func isGone() -> Bool {
        do throws(StoreError) { try store.checkPlace() } catch {
            fail(error)
            return true
        }
        return false
    }
}
