import Synchronization
package import WorkflowKit

/// Interrupts whatever the sessions of a command are doing, from any thread.
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

    /// Adds another way to interrupt something.
    ///
    /// - Returns: Its number, to ``end(_:)`` it.
    @discardableResult
    package func watch(_ stop: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.stops[state.last] = stop
            return state.last
        }
    }

    /// Has a way to interrupt something forgotten, as that is over.
    func end(_ number: Int) { state.withLock { $0.stops[number] = nil } }

    /// Interrupts the calls that are under way, and none that begins later.
    package func stop() {
        for stop in state.withLock({ $0.stops.values.map { $0 } }) { stop() }
    }
}
