/// How far a worker's node has come; kept beside the state because a failure, which rolls the state back, is
/// an end all the same.
final class WorkerProgress {
    /// The last run that was started. A pass that fails may have declared another, while this one goes on.
    var startedRun = 0
    /// The last run that came to its end by itself.
    var endedRun = 0
    /// The task of the run under way.
    var task: Task<Void, Never>?

    /// Notes that a run has come to its end.
    func end(run: Int) {
        endedRun = run
        // It has ended already, unless somebody else plays its part.
        task?.cancel()
        task = nil
    }
}

/// What a run of a worker tells its node.
struct WorkerSignal<W: EmittingWorker>: WorkflowAction {
    typealias WorkflowType = WorkerWorkflow<W>

    let event: WorkerEvent<W.Output, any Error>
    let run: Int

    func apply(
        toState state: inout WorkerWorkflow<W>.State, context: ApplyContext<WorkerWorkflow<W>>
    ) throws -> WorkerEvent<W.Output, any Error>? {
        guard run == state.progress.startedRun, run != state.progress.endedRun else {
            throw DroppedAction(path: context.path, reason: .workerStopped)
        }
        if case .output = event {} else { state.progress.end(run: run) }
        context.node?.report(event.map(output: { _ in }, failure: { $0 }))
        return event
    }
}

extension Node {
    /// Starts a run of a worker; it ends with `lifetime`.
    func start<Output, Running>(
        _ worker: Running, run: Int, lifetime: Lifetime, target: SinkTarget<WorkerSignal<Running>>
    ) where W == WorkerWorkflow<Running>, Running.Output == Output {
        state.progress.startedRun = run
        report(.started)
        let send: @Sendable (WorkerEvent<Output, any Error>, (@Sendable () -> Void)?) -> Void = {
            event, onTaken in
            guard !lifetime.hasEnded else { return onTaken?() ?? () }
            _ = target.send(WorkerSignal(event: event, run: run), from: nil, onTaken: onTaken)
        }
        let clock = tree.configuration.clock
        let task = Task(executorPreference: tree.configuration.workerExecutor) {
            await WorkerClock.$current.withValue(clock) {
                do {
                    try await worker.run(into: WorkerSink(body: { send(.output($0), $1) }))
                    send(.finished, nil)
                } catch {
                    send(.failed(error), nil)
                }
            }
        }
        state.progress.task = task
        // Sound because a lifetime ends on the isolation that owns the tree, while the node is alive.
        nonisolated(unsafe) unowned let node = self
        lifetime.onEnded {
            task.cancel()
            if node.state.progress.endedRun != run { node.report(.cancelled) }
        }
    }
}

extension AnyNode {
    /// Reports an event of the worker behind this node to those who want to know.
    fileprivate func report(_ event: WorkerEvent<Void, any Error>) {
        let observers = tree.instruments?.observers ?? []
        guard !observers.isEmpty || tree.configuration.onWorkerEvent != nil else { return }
        let node = identity
        tree.configuration.onWorkerEvent?(event, node)
        for observer in observers { observer.didReceiveWorkerEvent(event, node: node) }
    }
}
