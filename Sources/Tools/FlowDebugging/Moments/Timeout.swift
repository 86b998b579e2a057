import Dispatch
import Synchronization
import WorkflowLua

/// Interrupts a call that may never end, a second after it was begun.
final class Timeout: Sendable {
    private struct State {
        var isCancelled = false
        var isOver = false
    }

    /// A queue of its own gets a thread although calls that do not end may have all the others.
    private static let queue = DispatchQueue(label: "timeouts of expressions")
    private let state = Mutex(State())

    init(of interruption: FlowInterrupt) { arm(.seconds(1), interruption) }

    /// True if it has interrupted the call.
    var isOver: Bool { state.withLock(\.isOver) }

    /// Between two calls there is nothing to interrupt, so it tries again until it is cancelled.
    private func arm(_ delay: DispatchTimeInterval, _ interruption: FlowInterrupt) {
        Self.queue.asyncAfter(deadline: .now() + delay) { [self] in
            let isCancelled = state.withLock { state in
                guard !state.isCancelled else { return true }
                state.isOver = true
                interruption.stop()
                return false
            }
            if !isCancelled { arm(.milliseconds(100), interruption) }
        }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
