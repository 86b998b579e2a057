import CWorkflowPlugin
import PlainValue
import Synchronization
import Timers
import WorkerKit

/// One run of a worker in a library. The library's threads put outputs into the run's window, which
/// leads to the session's mailbox. No code of a library runs on a session's isolation, and no
/// action on a library's thread.
final class LoadedRun: Sendable {
    struct State {
        var hasStarted = false
        var isStopped = false
        var end: End?
        /// The help for the last refused access, as a library knows no settings of its program.
        var advice: String?
        /// The library's threads that wait for room.
        var waiters: [ThreadSemaphore] = []
        var sleepers: [ObjectIdentifier: ThreadSemaphore] = [:]
        var timers: [Int: Timer] = [:]
        var lastTimer = 0

        var isOver: Bool { isStopped || end != nil }
    }

    struct Timer {
        let task: Task<Void, Never>
        /// The library's token for the timer; `nil` for a sleep.
        let token: UInt64?
    }

    struct End {
        let error: WorkerError?
    }

    let id: workflow_run
    let worker: LoadedWorker
    let context: WorkerContext
    let state = Mutex(State())
    let window: OutputWindow
    private let identity: EncodedValue?
    private let ended = Latch()
    private let elapsed: @Sendable () -> Duration

    init(of worker: LoadedWorker, context: WorkerContext, window: OutputWindow) {
        id = LoadedRuns.makeNumber()
        self.worker = worker
        self.context = context
        self.window = window
        identity = try? context.identity?.record(resumption: WorkerResumption.current).encoded()
        elapsed = Self.stopwatch(context.clock)
    }

    private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
    where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    // MARK: The task of the run

    func play(_ input: Value) async throws {
        let input = try input.encoded()
        LoadedRuns.insert(self)
        defer { LoadedRuns.remove(id) }
        await withTaskCancellationHandler {
            Task.detached(executorPreference: LibraryThreads.starts) { self.start(input) }
            // The run is over only when the library has ended it, also after a cancellation.
            await ended.waitUntilOpen()
        } onCancel: {
            stop()
        }
        if let error = state.withLock({ $0.end?.error }) { throw error }
    }

    private func start(_ input: EncodedValue) {
        let mayStart = state.withLock { state in
            state.hasStarted = !state.isStopped
            return state.hasStarted
        }
        guard mayStart else {
            _ = end(nil)
            return
        }
        input.withUnsafeBytes { worker.start(id, input: $0) }
    }

    /// Stops accepting calls of the library, and asks it to end.
    private func stop() {
        let (mustCancel, release) = state.withLock { state -> (Bool, Release) in
            guard !state.isStopped else { return (false, Release()) }
            state.isStopped = true
            return (state.hasStarted && state.end == nil, state.releaseAll())
        }
        release.perform()
        guard state.withLock(\.hasStarted) else {
            // The run still waits for a thread, and will not start.
            _ = end(nil)
            return
        }
        if mustCancel { call { $0.cancel($1) } }
    }

    /// Calls a function of the library on a thread that it may block.
    func call(_ body: @escaping @Sendable (LoadedWorker, workflow_run) -> Void) {
        Task.detached(executorPreference: LibraryThreads.calls) { [worker, id] in body(worker, id) }
    }

    // MARK: Calls of the library

    func emit(_ bytes: UnsafeRawBufferPointer) -> HostStatus {
        guard !isOver else { return .stopped }
        // Checked first: an output without room need not be read.
        let answer = HostStatus(window.admission { self.roomCame() })
        guard answer == .taken else { return answer }
        do throws(ValueError) {
            let output = try EncodedValue(validating: bytes, limits: OutputWindow.limits)
            guard !isOver else { return .stopped }
            return HostStatus(window.offer(output) { self.roomCame() })
        } catch {
            return refuse("\(error)")
        }
    }

    func roomCame() {
        let (waiters, isOver) = state.withLock { ($0.takeWaiters(), $0.isOver) }
        for waiter in waiters { waiter.signal() }
        if !isOver { call { $0.roomCame($1) } }
    }

    func refuse(_ reason: String) -> HostStatus {
        let error = WorkerError(
            "bad_output", "'\(worker.name)' gave an output that is not a plain value: \(reason)")
        return end(error) == .taken ? .refused : .stopped
    }

    func end(_ error: WorkerError?) -> HostStatus {
        let (answer, release) = state.withLock { state -> (HostStatus, Release) in
            guard state.end == nil else { return (.stopped, Release()) }
            var error = error
            if error?.code == "not_granted", error?.help == nil { error?.help = state.advice }
            state.end = End(error: error)
            return (.taken, state.releaseAll())
        }
        release.perform()
        if answer == .taken { ended.open() }
        return answer
    }

    func log(_ level: WorkerLogger.Level, _ text: String) -> HostStatus {
        guard !isOver else { return .stopped }
        context.log.log(level, text)
        return .taken
    }

    func check(_ access: Access, resolved: UnsafeMutableBufferPointer<CChar>) -> HostStatus {
        guard !isOver else { return .stopped }
        let target: String
        do throws(WorkerError) {
            target = try context.require(access)
        } catch {
            state.withLock { $0.advice = error.help }
            return .refused
        }
        guard resolved.baseAddress != nil else { return .taken }
        let text = target.utf8CString
        guard text.count <= resolved.count else { return .refused }
        _ = resolved.update(from: text)
        return .taken
    }

    /// Writes the run's identity, if there is room. Returns its size in bytes; `nil` for none.
    func writeIdentity(to memory: UnsafeMutableRawBufferPointer) -> Int64? {
        guard !isOver, let identity else { return nil }
        return identity.withUnsafeBytes { bytes in
            if bytes.count <= memory.count { memory.copyMemory(from: bytes) }
            return Int64(bytes.count)
        }
    }

    /// The nanoseconds since the run began; `nil` when it is over.
    var now: Int64? { isOver ? nil : elapsed().wholeNanoseconds }

    var isOver: Bool { state.withLock { $0.isOver } }
}

/// The threads for functions of libraries, which may block. The host never waits for them.
enum LibraryThreads {
    /// The threads for `start`, which may last as long as the work.
    static let starts = WorkerThreads(limit: 4096)
    static let calls = WorkerThreads(limit: 256)
}
