import Synchronization
import WorkerKit
import Workflow
import WorkflowLua

/// The starts of the running workers, by path: time, step and attempt.
final class WorkerStarts: Sendable {
    struct Start: Sendable {
        /// The time of the first start, in milliseconds since 1970.
        var started: Int
        /// The step at which it was declared.
        var step: Int
        var attempt = 1
        /// The time for which the session was closed since the start, in milliseconds.
        var paused = 0
        /// True if the worker was running before the session was opened.
        var isKnown = false
        /// The earlier run that it resumes; `nil` on the first start.
        var resumption: WorkerResumption?
        /// The time until which it does nothing, in milliseconds since 1970; `nil` if it is busy.
        var restsUntil: Int?
        /// A number that tells it apart from a later start at the same path.
        var number = 0
    }

    private struct State {
        var starts: [NodePath: Start] = [:]
        var lastNumber = 0
        /// The refused outputs of the declared workers, including those that have ended.
        var refused: [NodePath: [RefusedOutput]] = [:]
        /// The number of changes to `refused`.
        var refusedRevision = 0
    }

    /// The maximum number of refused outputs of one worker; the oldest are dropped.
    private static let mostRefused = 64

    private let session: String
    private let now: @Sendable () -> Int
    private let state = Mutex(State())

    init(session: String, now: @escaping @Sendable () -> Int) {
        self.session = session
        self.now = now
    }

    /// The start of the worker at a path; `nil` if none runs there.
    subscript(path: NodePath) -> Start? { state.withLock { $0.starts[path] } }

    func add(_ start: Start, at path: NodePath) {
        state.withLock { state in
            state.lastNumber += 1
            // A new run gives its outputs itself.
            if state.refused.removeValue(forKey: path) != nil { state.refusedRevision += 1 }
            state.starts[path] = start
            state.starts[path]?.number = state.lastNumber
        }
    }

    func remove(at path: NodePath) { state.withLock { $0.starts[path] = nil } }

    /// Makes the worker at a path continue a run that was started before.
    func restore(_ worker: FlowNode.Worker, at path: NodePath) {
        state.withLock { state in
            guard let started = worker.started else { return }
            state.starts[path]?.started = started
            state.starts[path]?.step = worker.step
            state.starts[path]?.attempt = worker.attempt
            state.starts[path]?.paused = worker.paused
            state.starts[path]?.isKnown = true
        }
    }

    /// Resumes the workers that were running before, until `last` in milliseconds since 1970.
    func resume(since last: Int) {
        let pause = max(now() - last, 0)
        state.withLock { state in
            for (path, start) in state.starts where start.isKnown {
                let ran = max(last - start.started - start.paused, 0)
                state.starts[path]?.isKnown = false
                state.starts[path]?.attempt += 1
                state.starts[path]?.paused += pause
                state.starts[path]?.resumption = WorkerResumption(
                    ran: .milliseconds(ran), paused: .milliseconds(start.paused + pause),
                    lastPause: .milliseconds(pause))
            }
        }
    }

    var hasResumed: Bool { state.withLock { $0.starts.values.contains { $0.resumption != nil } } }

    // MARK: Outputs that were refused

    var refusedRevision: Int { state.withLock { $0.refusedRevision } }

    /// The refused outputs of the worker at a path, oldest first.
    func refused(at path: NodePath) -> [RefusedOutput] { state.withLock { $0.refused[path] ?? [] } }

    /// Keeps refused outputs of the worker at a path, after those that are kept already.
    func keep(_ outputs: [RefusedOutput], at path: NodePath) {
        guard !outputs.isEmpty else { return }
        state.withLock { state in
            let all = (state.refused[path] ?? []) + outputs
            state.refused[path] = all.suffix(Self.mostRefused)
            state.refusedRevision += 1
        }
    }

    /// Keeps these outputs of the worker at a path, and no others.
    func restore(_ outputs: [RefusedOutput], at path: NodePath) {
        state.withLock { state in
            guard state.refused[path] ?? [] != outputs else { return }
            state.refused[path] = outputs.isEmpty ? nil : outputs.suffix(Self.mostRefused)
            state.refusedRevision += 1
        }
    }

    @discardableResult
    func removeRefused(at path: NodePath) -> [RefusedOutput] {
        state.withLock { state in
            guard let removed = state.refused.removeValue(forKey: path) else { return [] }
            state.refusedRevision += 1
            return removed
        }
    }

    /// Removes the first kept output of a worker that is equal to an accepted one.
    func removeRefused(_ event: WorkerNews.Event, at path: NodePath) {
        state.withLock { state in
            guard let index = state.refused[path]?.firstIndex(where: { $0.event == event }) else {
                return
            }
            state.refused[path]?.remove(at: index)
            if state.refused[path]?.isEmpty == true { state.refused[path] = nil }
            state.refusedRevision += 1
        }
    }

    /// Removes the outputs that were given after a step, when the session continues from there.
    func removeRefused(after step: Int) {
        state.withLock { state in
            let kept = state.refused.mapValues { $0.filter { $0.step <= step } }
                .filter { !$0.value.isEmpty }
            if kept != state.refused { state.refusedRevision += 1 }
            state.refused = kept
        }
    }

    // MARK: Runs

    /// Runs the worker at a path with its identity and resumption as task-local values.
    func running<Result>(
        at path: NodePath, _ body: () async throws -> Result
    ) async throws -> Result {
        let start = self[path]
        // The path may belong to another run by now, but only if this one was cancelled.
        try Task.checkCancellation()
        guard let start else { return try await body() }
        let running = RunningWorker(identity: identity(of: start, at: path)) { [weak self] rest in
            self?.rest(rest, start.number, at: path)
        }
        return try await RunningWorker.$current.withValue(running) {
            try await WorkerResumption.$current.withValue(start.resumption, operation: body)
        }
    }

    private func identity(of start: Start, at path: NodePath) -> WorkerIdentity {
        WorkerIdentity(
            session: session, step: start.step, node: path.parent.description,
            name: path.components.last?.name ?? "", key: path.components.last?.key ?? "",
            started: start.started, attempt: start.attempt)
    }

    private func rest(_ duration: Duration?, _ number: Int, at path: NodePath) {
        let due = duration.map { now() + Int($0.wholeNanoseconds / 1_000_000) }
        state.withLock { state in
            // Another run may be at the path by now.
            if state.starts[path]?.number == number { state.starts[path]?.restsUntil = due }
        }
    }
}
