import Synchronization
import WorkflowKit

/// Interrupts whatever the sessions of a command are doing, from any thread.
final class SessionInterrupt: Sendable {
    private let stops = Mutex<[@Sendable () -> Void]>([])

    func watch(_ session: FlowSession) {
        watch { [weak session] in session?.interrupt() }
    }

    /// Adds another way to interrupt something.
    func watch(_ stop: @escaping @Sendable () -> Void) { stops.withLock { $0.append(stop) } }

    /// Interrupts the calls that are under way, and none that begins later.
    func stop() {
        for stop in stops.withLock({ $0 }) { stop() }
    }
}
