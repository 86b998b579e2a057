public import PlainValue
import Synchronization
public import WorkerKit

/// The workers of one session: which there are, what they may reach, and which of them run.
///
/// May be used from any thread.
public final class WorkerSession: Sendable {
    /// The workers at hand.
    public let registry: WorkerRegistry
    /// What they may reach.
    public let grants: Grants

    private struct State {
        var isEnded = false
        var lastRun = 0
        var running: [Int: String] = [:]
        var idle: Latch?
    }

    /// Called with each access that is decided, on any thread.
    private let onAccess: (@Sendable (WorkerAccess) -> Void)?
    /// The next step for a user whose flow declares a worker with this access, which is refused.
    private let advice: (@Sendable (Access) -> String?)?
    private let write: @Sendable (String, WorkerLogger.Level, String) -> Void
    private let state = Mutex(State())

    /// A session that runs nothing yet.
    ///
    /// - Parameters:
    ///   - registry: The workers at hand.
    ///   - grants: What they may reach; nothing by default.
    ///   - onAccess: Called with each access that is decided, on any thread; for an audit.
    ///   - advice: The help of the error for a worker whose access is refused when it is declared; by
    ///     default, how to grant this access.
    ///   - log: Receives each line that a worker writes, with the worker's name; called from any
    ///     thread.
    public init(
        registry: WorkerRegistry, grants: Grants = Grants(),
        onAccess: (@Sendable (WorkerAccess) -> Void)? = nil,
        advice: (@Sendable (Access) -> String?)? = nil,
        log: @escaping @Sendable (_ worker: String, WorkerLogger.Level, String) -> Void = {
            _, _, _ in
        }
    ) {
        self.registry = registry
        self.grants = grants
        self.onAccess = onAccess
        self.advice = advice
        write = log
    }

    /// A worker with its input, ready to be declared in a render; nothing starts yet.
    ///
    /// - Parameters:
    ///   - name: The name of the worker.
    ///   - input: What it is given.
    /// - Throws: A `WorkerError` with the code `unknown_worker`, `bad_input` or `not_granted`.
    public func declare(
        _ name: String, input: Value
    ) throws(WorkerError) -> GrantedWorker {
        let definition = try registry.worker(named: name)
        do throws(WorkerError) {
            try definition.check(input)
            for need in definition.needs {
                for access in try need.accesses(of: input) {
                    do throws(WorkerError) {
                        try check(access, of: name)
                    } catch {
                        let help = advice?(grants.compared(access)) ?? error.help
                        throw WorkerError(error.code, error.message, help: help)
                    }
                }
            }
        } catch {
            throw WorkerError(error.code, "worker '\(name)': \(error.message)", help: error.help)
        }
        return GrantedWorker(definition: definition, input: input, session: self)
    }

    /// Makes sure that a worker may have an access, and reports the decision.
    ///
    /// - Returns: The target to use, as `Grants.check` does.
    @discardableResult
    func check(_ access: Access, of worker: String) throws(WorkerError) -> String {
        do throws(WorkerError) {
            let target = try grants.check(access)
            onAccess?(WorkerAccess(worker, grants.compared(access), isGranted: true))
            return target
        } catch {
            onAccess?(WorkerAccess(worker, grants.compared(access), isGranted: false))
            throw error
        }
    }

    /// The names of the workers that run, in order; one that was cancelled runs until it ends.
    public var running: [String] { state.withLock { $0.running.values.sorted() } }

    /// Waits until all workers have ended, after the host was shut down and so has cancelled them.
    ///
    /// Workers that have not ended by then are abandoned: nothing that they emit arrives anywhere,
    /// but what they hold stays with them. No worker starts any more.
    ///
    /// - Parameters:
    ///   - limit: How long to wait.
    ///   - clock: Measures the time.
    /// - Returns: The names of the abandoned workers, in order.
    public func end(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> [String] {
        let latch = Latch()
        let isIdle = state.withLock { state in
            state.isEnded = true
            state.idle = latch
            return state.running.isEmpty
        }
        guard !isIdle else { return [] }
        await withTaskGroup { group in
            group.addTask { await latch.wait() }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        return running
    }

    // MARK: Runs

    func begin(_ name: String) throws(WorkerError) -> Int {
        try state.withLock { state throws(WorkerError) in
            guard !state.isEnded else {
                throw WorkerError("session_ended", "the session has ended")
            }
            state.lastRun += 1
            state.running[state.lastRun] = name
            return state.lastRun
        }
    }

    func end(_ run: Int) {
        let idle = state.withLock { state in
            state.running[run] = nil
            return state.running.isEmpty ? state.idle : nil
        }
        idle?.open()
    }

    func logger(for name: String) -> WorkerLogger {
        WorkerLogger { [write] level, text in write(name, level, text) }
    }
}
