import Synchronization
import WorkerKit

/// A clock on which every wait lasts until the gate is opened. After that waits take no time.
public final class Gate: Clock, Sendable {
    /// An instant of the continuous clock.
    public typealias Instant = ContinuousClock.Instant

    private struct State {
        var now = ContinuousClock().now
        var isOpen = false
        var waiting: [Latch] = []
    }

    private let state = Mutex(State())

    /// A clock whose gate is closed.
    public init() {}

    /// The latest instant that a wait asked for.
    public var now: Instant { state.withLock { $0.now } }
    /// Always zero.
    public var minimumResolution: Duration { .zero }

    /// Ends all present and future waits.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for latch in waiting { latch.open() }
    }

    /// Waits until the gate is open.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let latch = Latch()
        let isOpen = state.withLock { state in
            state.waiting.append(latch)
            return state.isOpen
        }
        if !isOpen { await latch.wait() }
        try Task.checkCancellation()
        state.withLock { $0.now = max($0.now, deadline) }
    }
}
