public import PlainValue
import Synchronization
public import Timers
public import WorkerKit

/// The workers of one session: the available ones, their grants, and the running ones.
///
/// ```swift
/// let workers = WorkerSession(
///     registry: registry, grants: Grants([Grant("file.read", "notes")], folder: "/srv"))
/// _ = try workers.declare("file.read", input: ["path": "notes/today.txt"])
/// ```
///
/// It may be used from any thread.
public final class WorkerSession: Sendable {
    /// The available workers.
    public let registry: WorkerRegistry
    /// The grants of the workers.
    public let grants: Grants

    private struct State {
        var isEnded = false
        var lastRun = 0
        var running: [Int: String] = [:]
        var idle: Latch?
    }

    private let onAccess: (@Sendable (WorkerAccess) -> Void)?
    private let advice: (@Sendable (Access) -> String?)?
    private let write: @Sendable (String, WorkerLogger.Level, String) -> Void
    private let state = Mutex(State())

    /// Makes a session that runs nothing yet.
    ///
    /// - Parameters:
    ///   - onAccess: Called with each decision, on any thread; for an audit.
    ///   - advice: The help for a refused worker; by default, it names the grant.
    ///   - log: Receives each line of a worker's log with the worker's name, on any thread.
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

    /// A worker with its input, to be declared in a render. Nothing starts yet.
    ///
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

    /// The names of the running workers, sorted. A cancelled worker runs until it ends.
    public var running: [String] { state.withLock { $0.running.values.sorted() } }

    /// Waits until all workers have ended, after the host has shut down and cancelled them.
    ///
    /// No worker starts any more.
    ///
    /// ```swift
    /// let abandoned = await workers.end(within: .seconds(5))  // [] if all have ended
    /// ```
    ///
    /// - Warning: Workers that have not ended in time are abandoned: their outputs are dropped, but
    ///   they keep their resources.
    /// - Returns: The names of the abandoned workers, sorted.
    public func end(
        within limit: Duration, clock: any Clock<Duration> = TimerClock()
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
            assert(state.running[run] != nil)
            state.running[run] = nil
            return state.running.isEmpty ? state.idle : nil
        }
        idle?.open()
    }

    func logger(for name: String) -> WorkerLogger {
        WorkerLogger { [write] level, text in write(name, level, text) }
    }
}
