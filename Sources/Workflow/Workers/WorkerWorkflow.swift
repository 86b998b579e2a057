/// The node behind a worker: it shows nothing and runs the worker as its side effect.
public struct WorkerWorkflow<W: EmittingWorker>: Workflow {
    /// What becomes of the worker.
    public typealias Output = WorkerEvent<W.Output, any Error>

    /// The worker.
    public let worker: W

    /// Which run of a worker a node is at.
    public struct State: Equatable {
        var run = 1
        let progress = WorkerProgress()

        /// Whether both are at the same run.
        public static func == (a: State, b: State) -> Bool { a.run == b.run }
    }

    /// What the worker says its type is.
    public var nodeType: ObjectIdentifier { worker.nodeType }

    /// What the worker says its name is.
    public var nodeName: String { worker.nodeName }

    /// Starts with the first run.
    public func makeInitialState() -> State { State() }

    /// Starts another run, since the workers are not equivalent.
    public func workflowDidChange(from previousWorkflow: WorkerWorkflow, state: inout State) {
        state.run += 1
    }

    /// Declares the run.
    public func render(state: State, context: RenderContext<WorkerWorkflow>) {
        let target = context.makeTarget(of: WorkerSignal<W>.self)
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
