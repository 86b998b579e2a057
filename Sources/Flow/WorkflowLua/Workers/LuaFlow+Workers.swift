import WorkerKit
public import Workflow

extension LuaFlow {
    /// Applies a worker's event in a host of this flow as if the worker had caused it now.
    ///
    /// ```swift
    /// let due = WorkerNews(node: "tea", worker: "clock.after", key: "", event: .output([:]))
    /// if flow.emit(due, in: host) == nil { print("no tea is steeping") }
    /// ```
    ///
    /// - Parameters:
    ///   - news: The event, with the node and the key of the worker.
    ///   - host: The host whose tree has the node.
    ///   - evenIfEnded: Accepts an event of a worker that has ended and is still declared, which
    ///     may have caused it before its end.
    /// - Returns: The outcome; `nil` if the node runs no such worker.
    public func emit<Root>(
        _ news: WorkerNews, in host: WorkflowHost<Root>, evenIfEnded: Bool = false
    ) -> SendOutcome? {
        host.emit(
            news.event.map(output: { WorkerOutput($0) }, failure: { $0 }),
            fromWorkerAt: news.workerPath, of: ScriptedWorker.self, evenIfEnded: evenIfEnded)
    }
}

extension WorkerNews {
    /// The path of the worker, below that of its node.
    public var workerPath: NodePath {
        NodePath(node.components + [.init(name: worker, key: key)])
    }
}
