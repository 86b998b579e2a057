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

    let event: WorkerEvent<W.Output>
    let run: Int

    func apply(
        toState state: inout WorkerWorkflow<W>.State, context: ApplyContext<WorkerWorkflow<W>>
    ) throws -> WorkerEvent<W.Output>? {
        guard run == state.progress.startedRun, run != state.progress.endedRun else {
            throw DroppedAction(path: context.path, reason: .workerStopped)
        }
        if case .output = event {} else { state.progress.end(run: run) }
        context.node?.note(event.phase)
        return event
    }
}

extension WorkerEvent {
    var phase: WorkerPhase {
        switch self {
        case .output: .gaveOutput
        case .finished: .finished
        case .failed(let error): .failed(error)
        }
    }
}

extension Node {
    /// Starts a run of a worker; it ends with `lifetime`.
    func start<Output, Running>(
        _ worker: Running, run: Int, lifetime: Lifetime, target: SinkTarget<WorkerSignal<Running>>
    ) where W == WorkerWorkflow<Running>, Running.Output == Output {
        state.progress.startedRun = run
        note(.started)
        let tell: @Sendable (WorkerEvent<Output>) -> Void = { event in
            guard !lifetime.hasEnded else { return }
            _ = target.send(WorkerSignal(event: event, run: run), from: nil)
        }
        let clock = tree.configuration.clock
        let task = Task(executorPreference: tree.configuration.workerExecutor) {
            await WorkerClock.$current.withValue(clock) {
                do {
                    try await worker.run(into: WorkerOutlet { tell(.output($0)) })
                    tell(.finished)
                } catch {
                    tell(.failed(error))
                }
            }
        }
        state.progress.task = task
        // Sound because a lifetime ends on the isolation that owns the tree, while the node is alive.
        nonisolated(unsafe) unowned let node = self
        lifetime.onEnded {
            task.cancel()
            if node.state.progress.endedRun != run { node.note(.cancelled) }
        }
    }
}

extension AnyNode {
    /// Tells those who want to know of a worker's phase.
    fileprivate func note(_ phase: WorkerPhase) {
        let observers = tree.instruments?.observers ?? []
        guard !observers.isEmpty || tree.configuration.onWorkerPhase != nil else { return }
        let session = session
        tree.configuration.onWorkerPhase?(phase, session)
        for observer in observers { observer.workerDidEnter(phase, session: session) }
    }
}
