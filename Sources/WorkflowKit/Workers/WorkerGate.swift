import Synchronization
import Workflow
import WorkflowLua

/// Holds back the workers of one tree while that tree stands in the past.
///
/// A worker that was declared meanwhile starts when the gate is opened; the outputs of one that was running arrive then.
final class WorkerGate: Sendable {
    private struct State {
        var isOpen: Bool
        var held: [@Sendable () -> Void] = []
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state: Mutex<State>

    init(isOpen: Bool) { state = Mutex(State(isOpen: isOpen)) }

    /// Lets everything through, in the order in which it came.
    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            for send in state.held { send() }
            state.held = []
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Lets nothing through from now on.
    func close() { state.withLock { $0.isOpen = false } }

    /// Sends an output, now or when the gate is opened.
    private func pass(_ send: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.isOpen { send() } else { state.held.append(send) }
        }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    private func pass() async throws {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    // Cancellation may have come before there was anyone to wake.
                    guard !state.isOpen, !Task.isCancelled else { return true }
                    state.waiters[number] = waiter
                    return false
                }
                if goesOn { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
        try Task.checkCancellation()
    }

    /// `work` behind this gate.
    func holding(_ work: @escaping ScriptedWork) -> ScriptedWork {
        { outlet in
            try await self.pass()
            do {
                try await work(
                    WorkerOutlet { output in self.pass { outlet.send(output) } })
            } catch {
                try await self.pass()
                throw error
            }
            try await self.pass()
        }
    }
}
