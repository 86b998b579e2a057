import Dispatch
import Synchronization
import WorkflowLua

/// Interrupts a call that may never end, a second after it was begun.
final class Timeout: Sendable {
    private let isOver = Mutex(false)

    init(of interruption: FlowInterrupt) { arm(.seconds(1), interruption) }

    /// Between two calls there is nothing to interrupt, so it tries again until it is cancelled.
    private func arm(_ delay: DispatchTimeInterval, _ interruption: FlowInterrupt) {
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [self] in
            let isOver = isOver.withLock { isOver in
                if !isOver { interruption.stop() }
                return isOver
            }
            if !isOver { arm(.milliseconds(100), interruption) }
        }
    }

    func cancel() { isOver.withLock { $0 = true } }
}
