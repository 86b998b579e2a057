import Synchronization

/// A clock on which a test decides how long waits last.
public final class TestClock: Clock, Sendable {
    /// An instant of the continuous clock.
    public typealias Instant = ContinuousClock.Instant

    /// The length of the waits.
    public enum Mode: Sendable {
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

    /// The first instant.
    public let start = Instant.now
    /// The length that each wait should have, as it begins.
    public let begun: AsyncStream<Duration>

    /// - Parameters:
    ///   - mode: The length of the waits.
    ///   - patience: The length from which on a wait of an eager clock never ends.
    public init(_ mode: Mode, patience: Duration = .seconds(1 << 40)) {
        state = Mutex(State(mode: mode, now: start))
        self.patience = patience
        (begun, report) = AsyncStream.makeStream()
    }

    /// The latest instant that a wait that took no time asked for.
    public var now: Instant { state.withLock { $0.now } }
    /// Always zero.
    public var minimumResolution: Duration { .zero }
    /// The time since ``start``.
    public var passed: Duration { start.duration(to: now) }
    /// The length that each wait should have had.
    public var waits: [Duration] { state.withLock { $0.waits } }
    /// The ends that waits should have had, as times since ``start``.
    public var deadlines: [Duration] {
        state.withLock { $0.deadlines.map { start.duration(to: $0) } }
    }
    /// The number of present waits.
    public var asleep: Int { state.withLock { $0.asleep.count } }

    /// Moves the clock.
    public func pass(_ duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    /// Ends waits, as the mode says.
    public func open() {
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

    /// Waits as the mode says, or until the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
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
