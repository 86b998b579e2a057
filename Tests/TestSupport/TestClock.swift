import Synchronization

/// A clock on which a test decides how long waits last.
package final class TestClock: Clock, Sendable {
    package typealias Instant = ContinuousClock.Instant

    package enum Mode: Sendable {
        /// Waits take no time.
        case eager
        /// Waits last until ``TestClock/open()``, and take no time after that.
        case held
        /// Each ``TestClock/open()`` ends one wait, the present or the next one.
        case stepped
    }

    private struct State {
        var mode: Mode
        var now: Instant
        var waits: [Duration] = []
        var deadlines: [Instant] = []
        var asleep: [(id: Int, end: AsyncStream<Never>.Continuation)] = []
        var steps = 0
    }

    private let state: Mutex<State>
    private let patience: Duration
    private let report: AsyncStream<Duration>.Continuation

    package let start = Instant.now
    /// The length that each wait should have, as it begins.
    package let begun: AsyncStream<Duration>

    /// A wait of an eager clock of `patience` or more never ends.
    package init(_ mode: Mode, patience: Duration = .seconds(1 << 40)) {
        state = Mutex(State(mode: mode, now: start))
        self.patience = patience
        (begun, report) = AsyncStream.makeStream()
    }

    /// The latest instant that a wait that took no time asked for.
    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .zero }
    package var passed: Duration { start.duration(to: now) }
    /// The length that each wait should have had.
    package var waits: [Duration] { state.withLock { $0.waits } }
    /// The ends that waits should have had, as times since ``start``.
    package var deadlines: [Duration] {
        state.withLock { $0.deadlines.map { start.duration(to: $0) } }
    }
    package var asleep: Int { state.withLock { $0.asleep.count } }

    package func pass(_ duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    /// Ends waits, as the mode says.
    package func open() {
        let ended = state.withLock { state -> [AsyncStream<Never>.Continuation] in
            switch state.mode {
            case .eager: return []
            case .held:
                state.mode = .eager
                return state.asleep.map(\.end)
            case .stepped:
                guard let first = state.asleep.first else {
                    state.steps += 1
                    return []
                }
                state.asleep.removeFirst()
                return [first.end]
            }
        }
        for end in ended { end.finish() }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        // The stream ends when the task is cancelled, too.
        let (ended, end) = AsyncStream<Never>.makeStream()
        let (wait, id) = state.withLock { state -> (Duration, Int?) in
            let wait = state.now.duration(to: deadline)
            state.waits.append(wait)
            state.deadlines.append(deadline)
            if state.mode == .eager, wait < patience {
                state.now = max(state.now, deadline)
                return (wait, nil)
            }
            if state.steps > 0 {
                state.steps -= 1
                return (wait, nil)
            }
            state.asleep.append((state.waits.count, end))
            return (wait, state.waits.count)
        }
        report.yield(wait)
        if let id {
            for await _ in ended {}
            state.withLock { state in
                state.asleep.removeAll { $0.id == id }
                if state.mode == .eager { state.now = max(state.now, deadline) }
            }
        }
        try Task.checkCancellation()
    }
}
