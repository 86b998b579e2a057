import CWorkflowPlugin
import PlainValue
import Synchronization
import WorkerKit

/// One run of a worker in a library.
///
/// The library's threads put outputs into a queue of bounded size, which the task of the run empties.
/// So no code of a library ever runs on the isolation of a session, and none of a session on a
/// library's thread.
final class LoadedRun: Sendable {
    /// How many outputs, and bytes of them, may wait.
    private static let maximumCount = 64
    private static let maximumBytes = 4 * 1024 * 1024

    struct State {
        var outputs: [EncodedValue] = []
        /// The first of `outputs` that was not taken.
        var head = 0
        var bytes = 0
        var hasStarted = false
        var isStopped = false
        var end: End?
        /// Whether the library was told that the queue is full.
        var owesRoom = false
        /// The task of the run, when it waits.
        var reader: Latch?
        /// The threads of the library that wait for room.
        var waiters: [Bell] = []
        /// The threads of the library that wait for time to pass.
        var sleepers: [ObjectIdentifier: Bell] = [:]
        var timers: [Int: Task<Void, Never>] = [:]
        var lastTimer = 0

        var count: Int { outputs.count - head }
        var isFull: Bool { count >= LoadedRun.maximumCount || bytes >= LoadedRun.maximumBytes }
        /// Whether nothing is to be taken from the library any more.
        var isOver: Bool { isStopped || end != nil }
    }

    struct End {
        let error: WorkerError?
    }

    /// The number that the library knows the run by.
    let id: workflow_run
    let worker: LoadedWorker
    let context: WorkerContext
    let state = Mutex(State())
    private let elapsed: @Sendable () -> Duration

    init(of worker: LoadedWorker, context: WorkerContext) {
        id = LoadedRuns.makeNumber()
        self.worker = worker
        self.context = context
        elapsed = Self.stopwatch(context.clock)
    }

    private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
    where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    // MARK: The task of the run

    /// Runs the worker to its end, and hands its outputs on.
    func play(_ input: Value, into outputs: WorkerEmitter<Value>) async throws {
        let input = try input.encoded()
        LoadedRuns.add(self)
        defer { LoadedRuns.remove(id) }
        try await withTaskCancellationHandler {
            Task.detached(executorPreference: WorkerThreads.shared) { self.start(input) }
            var failure: (any Error)?
            while let output = try await next() {
                guard failure == nil else { continue }
                do {
                    try await outputs.send(output.value)
                } catch {
                    // The library has to come to its end all the same before the run is over.
                    failure = error
                    stop()
                }
            }
            if let failure { throw failure }
        } onCancel: {
            stop()
        }
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

    /// The next output, or nil when the library has come to its end.
    private func next() async throws -> EncodedValue? {
        while true {
            enum Step { case output(EncodedValue), end(WorkerError?), wait(Latch) }
            let (step, hasRoom, bells) = state.withLock { state -> (Step, Bool, [Bell]) in
                if let output = state.takeOutput() {
                    guard state.owesRoom, state.count <= Self.maximumCount / 2 else {
                        return (.output(output), false, [])
                    }
                    state.owesRoom = false
                    return (.output(output), true, state.takeWaiters())
                }
                if let end = state.end { return (.end(end.error), false, []) }
                let latch = Latch()
                state.reader = latch
                return (.wait(latch), false, [])
            }
            if hasRoom { tell { $0.noteRoom($1) } }
            for bell in bells { bell.ring() }
            switch step {
            case .output(let output): return output
            case .end(nil): return nil
            case .end(let error?): throw error
            case .wait(let latch): await latch.waitUntilOpen()
            }
        }
    }

    /// Takes nothing from the library any more, and asks it to end.
    private func stop() {
        let (mustTell, release) = state.withLock { state -> (Bool, Release) in
            guard !state.isStopped else { return (false, Release()) }
            state.isStopped = true
            state.dropOutputs()
            return (state.hasStarted && state.end == nil, state.releaseAll())
        }
        release.perform()
        if mustTell { tell { $0.cancel($1) } }
    }

    /// Calls a function of the library on a thread that it may block.
    private func tell(_ body: @escaping @Sendable (LoadedWorker, workflow_run) -> Void) {
        Task.detached(executorPreference: WorkerThreads.shared) { [worker, id] in body(worker, id) }
    }

    // MARK: What the library asks for

    func emit(_ bytes: UnsafeRawBufferPointer) -> Answer {
        if let answer = state.withLock({ $0.answerBeforeOutput() }) { return answer }
        let output: EncodedValue
        do throws(ValueError) {
            output = try EncodedValue(validating: bytes, limits: OutputWindow.limits)
        } catch {
            return refuse("\(error)")
        }
        let (answer, reader) = state.withLock { state -> (Answer, Latch?) in
            if let answer = state.answerBeforeOutput() { return (answer, nil) }
            state.outputs.append(output)
            state.bytes += output.byteCount
            return (.taken, state.takeReader())
        }
        reader?.open()
        return answer
    }

    /// Fails the run because of an output that is no value.
    func refuse(_ reason: String) -> Answer {
        let error = WorkerError(
            "bad_output", "'\(worker.name)' gave an output that is no value: \(reason)")
        return end(error) == .taken ? .refused : .stopped
    }

    func end(_ error: WorkerError?) -> Answer {
        let (answer, release) = state.withLock { state -> (Answer, Release) in
            guard state.end == nil else { return (.stopped, Release()) }
            state.end = End(error: error)
            return (.taken, state.releaseAll())
        }
        release.perform()
        return answer
    }

    func log(_ level: WorkerLogger.Level, _ text: String) -> Answer {
        guard !isOver else { return .stopped }
        context.log.log(level, text)
        return .taken
    }

    func check(_ access: Access, resolved: UnsafeMutableBufferPointer<CChar>) -> Answer {
        guard !isOver else { return .stopped }
        guard let target = try? context.require(access) else { return .refused }
        guard resolved.baseAddress != nil else { return .taken }
        let text = target.utf8CString
        guard text.count <= resolved.count else { return .refused }
        _ = resolved.update(from: text)
        return .taken
    }

    /// Nanoseconds since the run began, or nil when it is over.
    var now: Int64? { isOver ? nil : elapsed().wholeNanoseconds }

    var isOver: Bool { state.withLock { $0.isOver } }
}
