import Synchronization
import WorkerKit

/// The lines that workers write to a session's log from any thread, in the order of arrival.
///
/// `@unchecked Sendable` because `receive` and `executor` are set before anything is added.
final class WorkerLines: @unchecked Sendable {
    struct Line: Sendable {
        let worker: String
        let level: WorkerLogger.Level
        let text: String
    }

    /// The maximum number of waiting lines; more are lost, so that a worker cannot fill the memory.
    private static let maximum = 1000

    private struct State {
        var lines: [Line] = []
        var isDelivering = false
    }

    private let state = Mutex(State())
    private var receive: @Sendable (Line) async -> Void = { _ in }
    private var executor: (any TaskExecutor)?

    /// Sets the receiver of the lines, which is called on the executor or the global one.
    func deliver(
        on executor: (any TaskExecutor)?, to receive: @escaping @Sendable (Line) async -> Void
    ) {
        assert(state.withLock { $0.lines.isEmpty && !$0.isDelivering })
        self.executor = executor
        self.receive = receive
    }

    func add(_ line: Line) {
        let starts = state.withLock { state in
            guard state.lines.count < Self.maximum else { return false }
            state.lines.append(line)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if starts { Task(executorPreference: executor) { await self.drain() } }
    }

    private func drain() async {
        while true {
            let lines = state.withLock { state in
                defer { state.lines = [] }
                state.isDelivering = !state.lines.isEmpty
                return state.lines
            }
            if lines.isEmpty { return }
            for line in lines { await receive(line) }
        }
    }
}

extension FlowEvent.LogLevel {
    init(_ level: WorkerLogger.Level) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}
