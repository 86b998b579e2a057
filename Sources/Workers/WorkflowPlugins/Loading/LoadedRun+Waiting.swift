import Synchronization
import Timers
import WorkerKit

/// The ways to wait: a blocked thread of the library, or a call back.
extension LoadedRun {
    func waitForRoom() -> HostStatus {
        while true {
            let thread = ThreadSemaphore()
            let isOver = state.withLock { state in
                if !state.isOver { state.waiters.append(thread) }
                return state.isOver
            }
            guard !isOver else { return .stopped }
            // Checked after the thread is registered, so that new room wakes it.
            let answer = HostStatus(window.admission { self.roomCame() })
            guard answer == .full else {
                state.withLock { $0.waiters.removeAll { $0 === thread } }
                return answer
            }
            thread.wait()
        }
    }

    func sleep(_ nanoseconds: Int64) -> HostStatus {
        let thread = ThreadSemaphore()
        let mayWait = state.withLock { state in
            guard !state.isOver else { return false }
            state.sleepers[ObjectIdentifier(thread)] = thread
            return true
        }
        guard mayWait else { return .stopped }
        startTimer(nanoseconds) { thread.signal() }
        thread.wait()
        return state.withLock { state in
            state.sleepers[ObjectIdentifier(thread)] = nil
            return state.isOver ? .stopped : .taken
        }
    }

    /// Calls the library back after a time on the session's clock.
    func wake(after nanoseconds: Int64, token: UInt64) -> HostStatus {
        guard worker.canWake else { return .refused }
        guard !isOver else { return .stopped }
        startTimer(nanoseconds, token) { self.call { $0.wake($1, token: token) } }
        return .taken
    }

    func forget(_ token: UInt64) -> HostStatus {
        let (forgotten, isOver) = state.withLock { state in
            let forgotten = state.timers.filter { $0.value.token == token }
            for number in forgotten.keys { state.timers[number] = nil }
            return (forgotten, state.isOver)
        }
        for timer in forgotten.values { timer.task.cancel() }
        return isOver ? .stopped : .taken
    }

    /// Calls `body`, which must not block, after a time, unless the run ends or forgets the timer.
    private func startTimer(
        _ nanoseconds: Int64, _ token: UInt64? = nil, body: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.lastTimer += 1
            let number = state.lastTimer
            let task = Task.detached {
                let isDue = (try? await self.context.sleep(for: .nanoseconds(nanoseconds))) != nil
                self.state.withLock { $0.timers[number] = nil }
                if isDue { body() }
            }
            state.timers[number] = Timer(task: task, token: token)
        }
    }
}
