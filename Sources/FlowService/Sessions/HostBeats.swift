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
    /// Called when the store is gone.
    let fail: @Sendable (StoreError) -> Void

    /// Beats until its task is cancelled, or the store is gone.
    func run() async {
        var isFailing = false
        while (try? await TimerClock().sleep(for: StoreBeat.interval)) != nil {
            do throws(StoreError) {
                try await beat()
                isFailing = false
            } catch {
                if isGone() { return }
                if !isFailing { logger.error("the store cannot be written: \(error)") }
                isFailing = true
            }
        }
    }

    /// Beats once.
    func beat() async throws(StoreError) {
        let beat = try await store.beat()
        if beat.wasLate {
            logger.warning("the sessions were taken over: the service did not beat in time")
            // A session may take long, and the next beat must not.
            Task { await yield() }
        }
        if !beat.taken.isEmpty { await take(beat.taken) }
        if !beat.changed.isEmpty { Task { await follow(beat.changed) } }
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
