import Synchronization
package import WorkflowKit

/// Interrupts whatever the sessions of a command are doing, from any thread.
package final class SessionInterrupt: Sendable {
    private let stops = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    package func watch(_ session: FlowSession) {
        watch { [weak session] in session?.interrupt() }
    }

    /// Adds another way to interrupt something.
    package func watch(_ stop: @escaping @Sendable () -> Void) {
        stops.withLock { $0.append(stop) }
    }

    /// Interrupts the calls that are under way, and none that begins later.
    package func stop() {
        for stop in stops.withLock({ $0 }) { stop() }
    }
}
