import LuaVM
import Synchronization
public import Timers
import WorkflowLua

/// Limits how many sessions have a script process at a time, however many sessions are open.
///
/// Sessions that share an object of this class in ``FlowOptions/processes`` get a process when
/// their scripts have to run. A process belongs to one session as long as it lives. When another
/// session needs one, the process that has been idle longest is ended, and its session gets a new
/// one at its next input; the host keeps the states. While all are busy, sessions wait.
///
/// The processes are shared among principals, such as those of a service: the one that has used
/// them for the least time is next. See ``share``.
public final class ScriptProcesses: Sendable {
    /// The counts of processes at one moment.
    public struct Counts: Sendable, Equatable {
        /// The sessions that have a process.
        public internal(set) var held = 0
        /// The sessions whose scripts may be running.
        public internal(set) var lent = 0
        /// The sessions that wait for a process.
        public internal(set) var waiting = 0
        /// The number of times that a session had to wait.
        public internal(set) var waits = 0
        /// The number of times that a session gave up its process for another one.
        public internal(set) var handovers = 0
        /// The number of processes that crashed, or were ended because they did not answer.
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
    /// ```swift
    /// let processes = ScriptProcesses(limit: 8)  // for the options of all sessions
    /// options.isolation = .process
    /// options.processes = processes
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The maximum number of sessions with a process; at least 1.
    ///   - patience: The maximum time that a call waits for a process; worker outputs have none.
    ///   - clock: The clock for `patience`.
    public convenience init(
        limit: Int, patience: Duration = .seconds(10),
        clock: any Clock<Duration> = TimerClock()
    ) {
        self.init(limit: limit, mostOfOne: (limit + 1) / 2, patience: patience, clock: clock)
    }

    /// - Parameters:
    ///   - mostOfOne: The maximum number of processes that work for one share.
    ///   - now: A monotonic time, which measures the use of processes.
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

    /// Makes a monotonic clock that starts now.
    private static func uptime() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }

    /// The current counts.
    public var counts: Counts { queue.withLock { $0.counts } }

    /// The share that processes of the current task belong to, such as the principal of a request;
    /// `nil` by default. At most half of the processes work for one share other than `nil`.
    @TaskLocal public static var share: String?

    // MARK: Borrowing

    /// Waits until a session may run scripts in its own process. Balanced by ``giveBack(by:)``.
    ///
    /// - Parameter isPatient: Waits without a limit.
    /// - Throws: A `FlowError` with the code `no_process` after ``patience``.
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
        if case .refused = grant { throw FlowError(.busyProcesses) }
    }

    func giveBack(by session: any ProcessBorrower) {
        let now = now()
        resume(queue.withLock { $0.giveBack(ObjectIdentifier(session), at: now) })
    }

    /// Removes a closed session whose process has ended, so that others can have one.
    func leave(_ session: ObjectIdentifier) {
        let now = now()
        resume(queue.withLock { $0.leave(session, at: now) })
    }

    /// Counts a process whose end was not requested.
    func addDeath() { queue.withLock { $0.deaths += 1 } }

    /// Ends the process of another session, if the grant requires it.
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
