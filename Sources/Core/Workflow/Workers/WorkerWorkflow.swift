/// The node of a worker: it renders nothing and runs the worker as its side effect.
public struct WorkerWorkflow<W: EmittingWorker>: Workflow {
    /// The events of the worker.
    public typealias Output = WorkerEvent<W.Output, any Error>

    /// The worker.
    public let worker: W

    @inlinable
    init(worker: W) { self.worker = worker }

    /// The number of a worker's run.
    public struct State: Equatable {
        @usableFromInline var run = 1
        @usableFromInline let progress = WorkerProgress()

        @usableFromInline
        init() {}

        /// Compares the numbers of the runs.
        @inlinable
        public static func == (a: State, b: State) -> Bool { a.run == b.run }
    }

    /// The node type of the worker.
    @inlinable
    public var nodeType: ObjectIdentifier { worker.nodeType }

    /// The node name of the worker.
    public var nodeName: String { worker.nodeName }

    /// Starts with the first run.
    @inlinable
    public func makeInitialState() -> State { State() }

    /// Starts another run, since the workers are not equivalent.
    @inlinable
    public func workflowDidChange(from previousWorkflow: WorkerWorkflow, state: inout State) {
        state.run += 1
    }

    /// Declares the run.
    @inlinable
    public func render(state: State, context: RenderContext<WorkerWorkflow>) {
        // A closure that captures only the node costs no allocation.
        context.runSideEffect(key: state.run) { [node = context.node] lifetime in
            node.startRun(lifetime: lifetime)
        }
    }
}

/// Marks the workflows behind workers.
protocol WorkerNode {}

extension WorkerWorkflow: WorkerNode {}

extension WorkerWorkflow: Equatable {
    /// True if the second worker is equivalent to the first.
    @inlinable
    public static func == (a: WorkerWorkflow, b: WorkerWorkflow) -> Bool {
        b.worker.isEquivalent(to: a.worker)
    }
}
