import Synchronization
package import WorkflowKit

/// Interrupts the sessions of a command, from any thread.
package final class SessionInterrupt: Sendable {
    private struct State {
        var stops: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    package init() {}

    package func watch(_ session: FlowSession) {
        watch { [weak session] in session?.interrupt() }
    }

    /// Adds a function that ``stop()`` calls. Returns its number, for ``end(_:)``.
    @discardableResult
    package func watch(_ stop: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.stops[state.last] = stop
            return state.last
        }
    }

    func end(_ number: Int) { state.withLock { $0.stops[number] = nil } }

    /// Interrupts the current calls, but not later ones.
    package func stop() {
        for stop in state.withLock({ $0.stops.values.map { $0 } }) { stop() }
    }
}
