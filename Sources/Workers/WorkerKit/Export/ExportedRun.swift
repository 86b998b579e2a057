import CWorkflowPlugin
import PlainValue
import Synchronization

/// One run of an exported worker, as the host sees it.
final class ExportedRun: Sendable {
    private struct State {
        var isStopped = false
        var task: Task<Void, Never>?
        /// The number of times that the host has reported room.
        var rooms = 0
        var waitingForRoom: [Latch] = []
        var lastToken: UInt64 = 0
        var sleepers: [UInt64: Latch] = [:]
    }

    let id: workflow_run
    let host: HostFunctions
    private let state = Mutex(State())

    init(_ id: workflow_run, host: HostFunctions) {
        self.id = id
        self.host = host
    }

    func begin(_ task: Task<Void, Never>) {
        state.withLock { state in
            assert(state.task == nil, "a run begins twice")
            state.task = task
        }
        // The host may have cancelled the run before the run was registered here.
        if host.now(id) < 0 { stop() }
    }

    func end(with error: WorkerError?) {
        guard let error else {
            _ = host.finish(id)
            return
        }
        _ = host.fail(id, error.code, error.message, error.help)
    }

    // MARK: Calls of the host

    func stop() {
        let (task, latches) = state.withLock { state in
            state.isStopped = true
            let latches = state.waitingForRoom + state.sleepers.values
            state.waitingForRoom = []
            return (state.task, latches)
        }
        task?.cancel()
        for latch in latches { latch.open() }
    }

    func roomCame() {
        let latches = state.withLock { state in
            state.rooms += 1
            defer { state.waitingForRoom = [] }
            return state.waitingForRoom
        }
        for latch in latches { latch.open() }
    }

    func wake(_ token: UInt64) {
        state.withLock { $0.sleepers[token] }?.open()
    }

    // MARK: Requests of the worker

    /// The host's record of the run; `nil` if the host has none.
    func readIdentity() -> Value? {
        guard let identity = host.identity else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1024)
        for _ in 0..<2 {
            let count = Int(bytes.withUnsafeMutableBytes { identity(id, $0.baseAddress, $0.count) })
            guard count > 0 else { return nil }
            if count <= bytes.count {
                return try? bytes.withUnsafeBytes {
                    try EncodedValue(validating: UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
                        .value
                }
            }
            bytes = [UInt8](repeating: 0, count: count)
        }
        return nil
    }

    func context(_ told: Value?) -> WorkerContext {
        WorkerContext(
            log: WorkerLogger { [host, id] level, message in
                var message = message
                message.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { text in
                        _ = host.log(id, Int32(level.rawValue), text.baseAddress, text.count)
                    }
                }
            },
            clock: HostClock(run: self), identity: told.flatMap(WorkerIdentity.init),
            check: { [host, id] access throws(WorkerError) in
                // Longer than the path of any file that can be opened.
                var resolved = [CChar](repeating: 0, count: 8192)
                let answer = host.granted(
                    id, access.kind, access.target, &resolved, resolved.count)
                guard answer == WORKFLOW_TAKEN else { throw .notGranted(access) }
                return String(
                    decoding: resolved.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
                    as: UTF8.self)
            })
    }

    func send(_ value: Value) async throws {
        let output: EncodedValue
        do throws(ValueError) {
            output = try value.encoded()
        } catch {
            throw WorkerError("bad_output", "an output must be a plain value: \(error)")
        }
        while true {
            try Task.checkCancellation()
            // Read before the offer, so that room that comes in between is not missed.
            let rooms = state.withLock { $0.rooms }
            let answer = output.withUnsafeBytes { host.emit(id, $0.baseAddress, $0.count) }
            switch Int(answer) {
            case WORKFLOW_TAKEN: return
            case WORKFLOW_FULL: await waitForRoom(after: rooms)
            case WORKFLOW_REFUSED:
                throw WorkerError("bad_output", "the host refused an output of this run")
            default: throw CancellationError()
            }
        }
    }

    private func waitForRoom(after rooms: Int) async {
        let latch = Latch()
        let mustWait = state.withLock { state in
            guard state.rooms == rooms, !state.isStopped else { return false }
            state.waitingForRoom.append(latch)
            return true
        }
        if mustWait { await latch.wait() }
    }

    func sleep(nanoseconds: Int64) async throws {
        let latch = Latch()
        let token = state.withLock { state in
            state.lastToken += 1
            state.sleepers[state.lastToken] = latch
            return state.lastToken
        }
        defer { _ = state.withLock { $0.sleepers.removeValue(forKey: token) } }
        guard host.wake(id, nanoseconds, token) == WORKFLOW_TAKEN else { throw CancellationError() }
        await latch.wait()
        if Task.isCancelled {
            _ = host.forget?(id, token)
            throw CancellationError()
        }
        if state.withLock({ $0.isStopped }) { throw CancellationError() }
    }
}
