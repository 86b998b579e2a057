import WorkerKit
public import Workflow

extension LuaFlow {
    /// Does what a worker would cause by these news, in a host that plays this flow, whether or not the worker has got
    /// that far itself: plays the worker's part in a replay or a test.
    ///
    /// - Returns: What became of the news; `nil` if the node runs no such worker.
    public func emit<Root>(
        _ news: WorkerNews, in host: WorkflowHost<Root>
    ) -> SendOutcome? {
        host.emit(
            news.event.map(output: { WorkerOutput($0) }, failure: { $0 }),
            fromWorkerAt: news.workerPath, of: ScriptedWorker.self)
    }
}

extension WorkerNews {
    /// The path of the worker, below that of its node.
    public var workerPath: NodePath {
        NodePath(node.components + [.init(name: worker, key: key)])
    }
}
