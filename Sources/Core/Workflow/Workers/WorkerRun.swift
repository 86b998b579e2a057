/// A run of a worker: from its start until it ends or its node stops it. `@unchecked Sendable` as
/// its task uses constants only; `node` and `progress` are the owner's.
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
        clock = node.tree.options.clock
    }

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

    @usableFromInline
    func cancel() {
        progress.task?.cancel()
        if progress.endedRun != number { node.report(.cancelled) }
    }
}

/// The progress of a worker's node, beside its state, since a failure rolls back only that.
@usableFromInline
final class WorkerProgress {
    /// The last run that was started. A failed pass may have declared another one meanwhile.
    @usableFromInline var startedRun = 0
    /// The last run that ended by itself.
    @usableFromInline var endedRun = 0
    @usableFromInline var task: Task<Void, Never>?

    @usableFromInline
    init() {}

    func end(run: Int) {
        assert(endedRun < run && run <= startedRun)
        endedRun = run
        // It has already ended, unless a test or a replay plays its part.
        task?.cancel()
        task = nil
    }
}

@usableFromInline
struct WorkerSignal<W: EmittingWorker>: WorkflowAction {
    let event: WorkerEvent<W.Output, any Error>
    let run: Int
    /// True if the run ended after the event, of which everybody but the node has been told.
    var isLate = false

    @usableFromInline
    func apply(
        toState state: inout WorkerWorkflow<W>.State, context: ApplyContext<WorkerWorkflow<W>>
    ) throws -> WorkerEvent<W.Output, any Error>? {
        // A signal of an earlier run may arrive after the next run has started.
        guard run == state.progress.startedRun, isLate || run != state.progress.endedRun else {
            throw DroppedAction(path: context.path, reason: .workerStopped)
        }
        if isLate { return event }
        if case .output = event {} else { state.progress.end(run: run) }
        context.node?.report(event.map(output: { _ in }, failure: { $0 }))
        return event
    }
}

extension Node {
    @inlinable
    func startRun<Running>(lifetime: Lifetime) where W == WorkerWorkflow<Running> {
        let target = target(of: WorkerSignal<Running>.self)
        target.isOfWorker = true
        let progress = state.progress
        assert(progress.startedRun < state.run)
        progress.startedRun = state.run
        report(.started)
        let run = WorkerRun(
            workflow.worker, number: state.run, lifetime: lifetime, target: target, node: self,
            progress: progress)
        // An executor preference costs time, even for `nil`.
        if let executor = tree.options.workerExecutor {
            progress.task = Task(executorPreference: executor) { await run.perform() }
        } else {
            progress.task = Task { await run.perform() }
        }
        lifetime.onEnded { run.cancel() }
    }
}

extension AnyNode {
    @usableFromInline
    final func report(_ event: WorkerEvent<Void, any Error>) {
        guard tree.reportsWorkers else { return }
        let node = identity
        tree.options.onWorkerEvent?(event, node)
        for observer in tree.instruments?.observers ?? [] {
            observer.didReceiveWorkerEvent(event, node: node)
        }
    }
}
