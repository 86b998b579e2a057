import Synchronization

/// An event that happens once and that one task waits for.
package final class Latch: Sendable {
    private enum State {
        case closed
        case awaited(CheckedContinuation<Void, Never>)
        case open
    }

    private let state = Mutex(State.closed)

    package init() {}

    /// Resumes the waiting task, now or when it comes to wait.
    package func open() {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = .open }
            if case .awaited(let waiting) = state { return waiting }
            return nil
        }
        waiting?.resume()
    }

    /// Waits until the latch is open or the task is cancelled.
    package func wait() async {
        await withTaskCancellationHandler {
            await waitUntilOpen()
        } onCancel: {
            open()
        }
    }

    /// Waits until the latch is open, cancelled or not.
    package func waitUntilOpen() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if case .open = state { return true }
                if case .awaited = state { assertionFailure("two tasks wait") }
                state = .awaited(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}
