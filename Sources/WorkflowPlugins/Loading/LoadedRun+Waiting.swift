import CWorkflowPlugin
import Synchronization
import WorkerKit

/// Waiting, by blocking a thread of the library or by calling it back.
extension LoadedRun {
    /// Blocks until there is room for an output.
    func waitForRoom() -> Answer {
        while true {
            let bell = Bell()
            let answer: Answer? = state.withLock { state in
                if state.isOver { return .stopped }
                guard state.isFull else { return .taken }
                state.owesRoom = true
                state.waiters.append(bell)
                return nil
            }
            if let answer { return answer }
            bell.wait()
        }
    }

    /// Blocks until time has passed on the clock of the session.
    func sleep(_ nanoseconds: Int64) -> Answer {
        let bell = Bell()
        let mayWait = state.withLock { state in
            guard !state.isOver else { return false }
            state.sleepers[ObjectIdentifier(bell)] = bell
            return true
        }
        guard mayWait else { return .stopped }
        startTimer(nanoseconds) { bell.ring() }
        bell.wait()
        return state.withLock { state in
            state.sleepers[ObjectIdentifier(bell)] = nil
            return state.isOver ? .stopped : .taken
        }
    }

    /// Calls the library back when time has passed on the clock of the session.
    func wake(after nanoseconds: Int64, token: UInt64) -> Answer {
        guard worker.canWake else { return .refused }
        guard !isOver else { return .stopped }
        startTimer(nanoseconds) { [worker, id] in worker.wake(id, token: token) }
        return .taken
    }

    /// Calls `body` on a thread that it may block, unless the run is over before.
    private func startTimer(_ nanoseconds: Int64, body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.lastTimer += 1
            let number = state.lastTimer
            state.timers[number] = Task.detached(executorPreference: WorkerThreads.shared) {
                let isDue = (try? await self.context.sleep(for: .nanoseconds(nanoseconds))) != nil
                self.state.withLock { $0.timers[number] = nil }
                if isDue { body() }
            }
        }
    }
}
