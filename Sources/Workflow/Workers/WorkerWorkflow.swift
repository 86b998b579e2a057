/// The node behind a worker: it shows nothing and runs the worker as its side effect.
public struct WorkerWorkflow<W: EmittingWorker>: Workflow {
    /// What the worker emitted, or the error that it threw.
    public typealias Output = Result<W.Output, any Error>

    /// The worker.
    public let worker: W

    /// Which run of a worker a node is at.
    public struct State: Equatable {
        var run = 1
        let progress = WorkerProgress()

        /// Whether both are at the same run.
        public static func == (a: State, b: State) -> Bool { a.run == b.run }
    }

    /// The name of the worker's type.
    public var nodeName: String { typeName(of: W.self) }

    /// Starts with the first run.
    public func makeInitialState() -> State { State() }

    /// Starts another run, since the workers are not equivalent.
    public func workflowDidChange(from previousWorkflow: WorkerWorkflow, state: inout State) {
        state.run += 1
    }

    /// Declares the run.
    public func render(state: State, context: RenderContext<WorkerWorkflow>) {
        let target = context.makeTarget(of: WorkerEvent<W>.self)
        target.isOfWorker = true
        let node = context.node
        let run = state.run
        context.runSideEffect(key: run) { [worker] lifetime in
            node.start(worker, run: run, lifetime: lifetime, target: target)
        }
    }
}

/// Marks the workflows behind workers.
protocol WorkerNode {}

extension WorkerWorkflow: WorkerNode {}

extension WorkerWorkflow: Equatable {
    /// Whether the second worker is equivalent to the first.
    public static func == (a: WorkerWorkflow, b: WorkerWorkflow) -> Bool {
        b.worker.isEquivalent(to: a.worker)
    }
}

/// How far a worker's node has come; kept beside the state because a failure, which rolls the state back, is
/// an end all the same.
final class WorkerProgress {
    /// The last run that came to its end by itself.
    var endedRun = 0
}

/// What the task of a worker tells its node.
struct WorkerEvent<W: EmittingWorker>: WorkflowAction {
    typealias WorkflowType = WorkerWorkflow<W>

    enum Content: Sendable {
        case output(W.Output)
        case finished
        case failed(any Error)
    }

    let content: Content
    let run: Int

    func apply(
        toState state: inout WorkerWorkflow<W>.State, context: ApplyContext<WorkerWorkflow<W>>
    ) throws -> Result<W.Output, any Error>? {
        guard run == state.run else {
            throw DroppedAction(path: context.path, reason: .workerStopped)
        }
        switch content {
        case .output(let output):
            context.node?.note(.gaveOutput)
            return .success(output)
        case .finished:
            state.progress.endedRun = run
            context.node?.note(.finished)
            return nil
        case .failed(let error):
            state.progress.endedRun = run
            context.node?.note(.failed(error))
            return .failure(error)
        }
    }
}

extension Node {
    /// Starts a run of a worker; it ends with `lifetime`.
    fileprivate func start<Output, Running>(
        _ worker: Running, run: Int, lifetime: Lifetime, target: SinkTarget<WorkerEvent<Running>>
    ) where W == WorkerWorkflow<Running>, Running.Output == Output {
        note(.started)
        let tell: @Sendable (WorkerEvent<Running>.Content) -> Void = { content in
            guard !lifetime.hasEnded else { return }
            _ = target.send(WorkerEvent(content: content, run: run), from: nil)
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
        // Sound because a lifetime ends on the isolation that owns the tree, while the node is alive.
        nonisolated(unsafe) unowned let node = self
        lifetime.onEnded {
            task.cancel()
            if node.state.progress.endedRun != run { node.note(.cancelled) }
        }
    }
}

extension AnyNode {
    /// Tells the observers of a worker's phase.
    fileprivate func note(_ phase: WorkerPhase) {
        guard let observers = tree.instruments?.observers, !observers.isEmpty else { return }
        let session = session
        for observer in observers { observer.workerDidEnter(phase, session: session) }
    }
}
