/// A run of a worker: from its start to its end, or until its node has no use for it.
///
/// `@unchecked Sendable` because the worker's task uses what is constant only; `node` and `progress` are for the owner.
@usableFromInline
final class WorkerRun<W: EmittingWorker>: @unchecked Sendable {
    @usableFromInline let worker: W
    @usableFromInline let clock: any Clock<Duration>
    private let number: Int
    private let lifetime: Lifetime
    private let target: SinkTarget<WorkerSignal<W>>
    /// Alive until the lifetime has ended.
    private unowned let node: AnyNode
    private let progress: WorkerProgress

    @usableFromInline
    init(
        _ worker: W, number: Int, lifetime: Lifetime, target: SinkTarget<WorkerSignal<W>>,
        node: AnyNode, progress: WorkerProgress
    ) {
        self.worker = worker
        self.number = number
        self.lifetime = lifetime
        self.target = target
        self.node = node
        self.progress = progress
        clock = node.tree.configuration.clock
    }

    /// Lets the worker work, and tells the node of what it does.
    @inlinable
    func perform() async {
        await WorkerClock.$current.withValue(clock) {
            do {
                try await worker.run(
                    into: WorkerSink(body: { self.send(.output($0), onTaken: $1) }))
                send(.finished, onTaken: nil)
            } catch {
                send(.failed(error), onTaken: nil)
            }
        }
    }

    @usableFromInline
    func send(
        _ event: WorkerEvent<W.Output, any Error>, onTaken: (@Sendable () -> Void)?
    ) {
        guard !lifetime.hasEnded else { return onTaken?() ?? () }
        _ = target.send(WorkerSignal(event: event, run: number), from: nil, onTaken: onTaken)
    }

    /// Cancels the work, and says so unless it has ended by itself.
    @usableFromInline
    func cancel() {
        progress.task?.cancel()
        if progress.endedRun != number { node.report(.cancelled) }
    }
}

/// How far a worker's node has come; kept beside the state because a failure, which rolls the state back, is
/// an end all the same.
@usableFromInline
final class WorkerProgress {
    /// The last run that was started. A pass that fails may have declared another, while this one goes on.
    @exclusivity(unchecked)
    @usableFromInline var startedRun = 0
    /// The last run that came to its end by itself.
    @exclusivity(unchecked)
    @usableFromInline var endedRun = 0
    /// The task of the run under way.
    @exclusivity(unchecked)
    @usableFromInline var task: Task<Void, Never>?

    @usableFromInline
    init() {}

    /// Says that a run has come to its end.
    func end(run: Int) {
        endedRun = run
        // It has ended already, unless somebody else plays its part.
        task?.cancel()
        task = nil
    }
}

/// What a run of a worker tells its node.
@usableFromInline
struct WorkerSignal<W: EmittingWorker>: WorkflowAction {
    @usableFromInline typealias WorkflowType = WorkerWorkflow<W>

    let event: WorkerEvent<W.Output, any Error>
    let run: Int

    @usableFromInline
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
    /// Starts the run of a worker that its state is at; it ends with `lifetime`.
    @inlinable
    func startRun<Running>(lifetime: Lifetime) where W == WorkerWorkflow<Running> {
        let target = target(of: WorkerSignal<Running>.self)
        target.isOfWorker = true
        let progress = state.progress
        progress.startedRun = state.run
        report(.started)
        let run = WorkerRun(
            workflow.worker, number: state.run, lifetime: lifetime, target: target, node: self,
            progress: progress)
        // A preference costs time, even for no executor.
        if let executor = tree.configuration.workerExecutor {
            progress.task = Task(executorPreference: executor) { await run.perform() }
        } else {
            progress.task = Task { await run.perform() }
        }
        lifetime.onEnded { run.cancel() }
    }
}

extension AnyNode {
    /// Reports an event of the worker behind this node to those who want to know.
    @usableFromInline
    final func report(_ event: WorkerEvent<Void, any Error>) {
        guard tree.reportsWorkers else { return }
        let node = identity
        tree.configuration.onWorkerEvent?(event, node)
        for observer in tree.instruments?.observers ?? [] {
            observer.didReceiveWorkerEvent(event, node: node)
        }
    }
}
