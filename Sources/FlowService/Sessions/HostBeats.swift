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
        /// How often another service took over the sessions of this one.
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

    /// The time after the last beat, by the service's own clock, at which it stops its workers. Those
    /// that could take them over measure theirs from the same beat, and a bit later.
    private static let restraint = StoreBeat.patience * 4 / 5

    /// Beats until its task is cancelled, or the store is gone.
    func run() async {
        var isFailing = false
        var last = TimerClock().now
        var suspending: Task<Void, Never>?
        while (try? await TimerClock().sleep(for: StoreBeat.interval)) != nil {
            let begun = TimerClock().now
            if suspending == nil, store.hasOtherHosts, last.duration(to: begun) > Self.restraint {
                logger.warning("the service does not beat in time: its workers are stopped")
                // A session may take long, and the next beat must not.
                suspending = Task { await suspend() }
            }
            do throws(StoreError) {
                let wasLate = try await beat()
                (isFailing, last) = (false, begun)
                if let suspended = suspending, !wasLate {
                    Task {
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
        let beat: StoreBeat
        do throws(StoreError) { beat = try await store.beat() } catch {
            counts.count(nil)
            throw error
        }
        counts.count(beat)
        if beat.wasLate {
            logger.warning("the sessions were taken over: the service did not beat in time")
            // A session may take long, and the next beat must not.
            Task { await yield() }
        }
        if !beat.taken.isEmpty { await take(beat.taken) }
        if !beat.changed.isEmpty { Task { await follow(beat.changed) } }
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
