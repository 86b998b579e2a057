import Synchronization
import Workflow
import WorkflowLua

/// Holds back the workers of one tree while the tree shows the past.
///
/// Workers declared meanwhile start when the gate is opened, and outputs of running ones arrive.
final class WorkerGate: Sendable {
    private struct State {
        var isOpen: Bool
        /// True while the gate opens after the held outputs, and while a call sends these.
        var isOpening = false
        var isSending = false
        var held: [(run: Int, send: @Sendable () -> Void)] = []
        var lastRun = 0
        /// The continuations of runs that wait to begin or to end.
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var refusals: [WorkerRefusal] = []

        /// False if something is held or waits although the gate is open.
        var isSound: Bool { !isOpen || !isOpening && held.isEmpty && waiters.isEmpty }
    }

    private let state: Mutex<State>

    init(isOpen: Bool) { state = Mutex(State(isOpen: isOpen)) }

    var refusals: [WorkerRefusal] {
        get { state.withLock { $0.refusals } }
        set { state.withLock { $0.refusals = newValue } }
    }

    /// Lets everything through in the order of arrival, until the gate is closed, which may be
    /// while a held output is processed.
    func open() {
        let sends = state.withLock { state in
            assert(state.isSound)
            state.isOpening = !state.isOpen
            guard state.isOpening, !state.isSending else { return false }
            state.isSending = true
            return true
        }
        guard sends else { return }
        while let send = nextHeld() { send() }
    }

    /// The oldest held output; with none left, the gate is open. The output is sent outside the
    /// lock, as the session may close the gate in response.
    private func nextHeld() -> (@Sendable () -> Void)? {
        typealias Waiters = [Int: CheckedContinuation<Void, Never>]
        let (send, waiters) = state.withLock { state -> ((@Sendable () -> Void)?, Waiters) in
            if state.isOpening, !state.held.isEmpty {
                return (state.held.removeFirst().send, [:])
            }
            state.isSending = false
            guard state.isOpening else { return (nil, [:]) }
            state.isOpening = false
            state.isOpen = true
            defer {
                state.waiters = [:]
                assert(state.isSound)
            }
            return (nil, state.waiters)
        }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.resume() }
        return send
    }

    func close() {
        state.withLock { state in
            assert(state.isSound)
            state.isOpen = false
            state.isOpening = false
        }
    }

    private func beginRun() -> Int {
        state.withLock { state in
            state.lastRun += 1
            return state.lastRun
        }
    }

    /// Drops the held outputs of a run. They retain the worker, and the worker retains the gate.
    private func end(_ run: Int) {
        let held = state.withLock { state in
            let held = state.held
            if !held.isEmpty { state.held.removeAll { $0.run == run } }
            return held
        }
        // The outputs are released outside the lock, as a deinitializer may call the gate.
        _ = consume held
    }

    /// Sends an output, now or when the gate is opened.
    private func pass(_ run: Int, _ send: @escaping @Sendable () -> Void) {
        state.withLock { state in
            // Sent under the lock, so that no output passes after the gate is closed.
            if state.isOpen { send() } else { state.held.append((run, send)) }
        }
    }

    /// Waits until the gate is open; throws when the task is cancelled.
    private func pass(_ run: Int) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    // The task may have been cancelled before its continuation was stored.
                    guard !state.isOpen, !Task.isCancelled else { return true }
                    assert(state.waiters[run] == nil)
                    state.waiters[run] = waiter
                    return false
                }
                if goesOn { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: run) }?.resume()
        }
        try Task.checkCancellation()
    }

    /// Wraps work so that its start, its outputs and its end pass this gate.
    func holding(_ work: @escaping ScriptedWork) -> ScriptedWork {
        { sink in
            let run = self.beginRun()
            defer { self.end(run) }
            try await self.pass(run)
            do {
                try await work(WorkerSink { output in self.pass(run) { sink.send(output) } })
            } catch {
                try await self.pass(run)
                throw error
            }
            try await self.pass(run)
        }
    }
}
