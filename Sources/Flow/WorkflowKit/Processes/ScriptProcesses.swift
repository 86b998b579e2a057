import LuaVM
import Synchronization
public import Timers
import WorkflowLua

/// Limits how many sessions have a script process at a time, however many sessions are open.
///
/// Sessions that share an object of this class in ``FlowOptions/processes`` get a process when their scripts have
/// to run. A process belongs to one session as long as it lives. When another session needs one, the process that
/// has been idle longest is ended, and its session gets a new one at its next input. States are kept in the host,
/// so they are not lost. If all processes are busy, sessions wait in order.
///
/// They are shared among those for whom they work, such as the principals of a service: whoever has
/// used them for the least time is next. See ``share``.
public final class ScriptProcesses: Sendable {
    /// The counts of processes at one moment.
    public struct Counts: Sendable, Equatable {
        /// The sessions that have a process.
        public internal(set) var held = 0
        /// Those of them whose scripts may be running.
        public internal(set) var lent = 0
        /// The sessions that wait for a process.
        public internal(set) var waiting = 0
        /// How often a session had to wait.
        public internal(set) var waits = 0
        /// How often a session gave up its process for another one.
        public internal(set) var handovers = 0
        /// How many processes crashed, or were ended because they did not answer.
        public internal(set) var deaths = 0
    }

    /// The maximum number of sessions with a process.
    public let limit: Int
    private let patience: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Duration
    private let queue: Mutex<ProcessQueue>

    /// Makes a limit for processes.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of sessions with a process; at least 1.
    ///   - patience: The maximum time that a call waits for a process. Outputs of workers wait without a limit.
    ///   - clock: The clock for `patience`.
    public convenience init(
        limit: Int, patience: Duration = .seconds(10),
        clock: any Clock<Duration> = TimerClock()
    ) {
        self.init(limit: limit, mostOfOne: (limit + 1) / 2, patience: patience, clock: clock)
    }

    /// The same.
    ///
    /// - Parameters:
    ///   - mostOfOne: The maximum number of processes that work for one share.
    ///   - now: The time since any moment, which measures the use of processes.
    init(
        limit: Int, mostOfOne: Int, patience: Duration, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Duration = ScriptProcesses.uptime()
    ) {
        self.limit = max(limit, 1)
        self.patience = patience
        self.clock = clock
        self.now = now
        queue = Mutex(ProcessQueue(limit: max(limit, 1), mostOfOne: max(mostOfOne, 1)))
        LuaVM.forkProcesses()
    }

    /// The time since a moment in the past.
    private static func uptime() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }

    /// The current counts.
    public var counts: Counts { queue.withLock { $0.counts } }

    /// The share that the processes used by the current task belong to, such as the principal of a
    /// request. At most half of the processes work for one share. What belongs to none, by default,
    /// is a share without that limit.
    @TaskLocal public static var share: String?

    // MARK: Borrowing

    /// Waits until a session may run scripts in a process of its own; to be ended by ``giveBack(by:)``.
    ///
    /// - Parameters:
    ///   - share: The share for which it does.
    ///   - isPatient: Whether it waits for as long as it takes.
    /// - Throws: A `FlowError` with the code `no_process` if that takes too long.
    func borrow(
        for session: any ProcessBorrower, of share: String? = nil, isPatient: Bool = false
    ) async throws(FlowError) {
        let now = now()
        if let grant = queue.withLock({ $0.grantAtOnce(to: session, of: share, at: now) }) {
            return await take(grant, for: session, of: share)
        }
        let number = queue.withLock { $0.makeNumber() }
        let timer =
            isPatient
            ? nil
            : Task { [clock, patience] in
                try await clock.sleep(for: patience)
                resume(queue.withLock { $0.giveUp(number) })
            }
        let grant = await withCheckedContinuation { continuation in
            resume(queue.withLock { $0.wait(session, of: share, number, continuation, at: now) })
        }
        timer?.cancel()
        await take(grant, for: session, of: share)
        if case .refused = grant {
            throw FlowError(
                .noProcess, "all processes for scripts are at work",
                help: "ask again later: nothing was done")
        }
    }

    /// Says that the scripts of a session rest.
    func giveBack(by session: any ProcessBorrower) {
        let now = now()
        resume(queue.withLock { $0.giveBack(ObjectIdentifier(session), at: now) })
    }

    /// Says that a session is closed and its process has ended; those who wait for it wait no longer.
    func leave(_ session: ObjectIdentifier) {
        let now = now()
        resume(queue.withLock { $0.leave(session, at: now) })
    }

    /// Counts a process that was not ended by its session.
    func addDeath() { queue.withLock { $0.deaths += 1 } }

    /// Ends the process that is to make room, if one is.
    private func take(
        _ grant: ProcessGrant, for session: any ProcessBorrower, of share: String?
    ) async {
        guard case .inPlace(of: let other, let id) = grant else { return }
        await other?.giveUpProcess()
        let now = now()
        resume(queue.withLock { $0.finishHandover(from: id, to: session, of: share, at: now) })
    }

    private func resume(_ answers: [ProcessQueue.Answer]) {
        for (continuation, grant) in answers { continuation.resume(returning: grant) }
    }
}

/// A session that may have a process for its scripts.
protocol ProcessBorrower: AnyObject, Sendable {
    /// Ends the process; the session goes on in another one when it borrows one.
    func giveUpProcess() async
}
