public import PlainValue
public import WorkerKit
public import Workflow

/// An event of a worker that a scripted node declared, when the node receives it.
///
/// ```swift
/// try await session.play(
///     .worker(
///         WorkerNews(
///             node: "tea", worker: "clock.after", key: "", event: .output(["seconds": 300]))))
/// ```
public struct WorkerNews: Sendable, Hashable {
    /// The path of the node that declared the worker.
    public var node: NodePath
    /// The name of the worker.
    public var worker: String
    /// The key under which it was declared; empty if there is none.
    public var key: String
    /// The event.
    public var event: Event

    /// An event of a worker whose outputs are plain values.
    public typealias Event = WorkerEvent<Value, WorkerError>

    /// Makes news from their parts.
    ///
    /// ```swift
    /// let error = WorkerError("timed_out", "no answer came")
    /// let news = WorkerNews(node: "shop", worker: "http.get", key: "milk", event: .failed(error))
    /// print(news.workerPath)  // shop/http.get:milk
    /// ```
    ///
    /// - Parameters:
    ///   - node: The path of the node that declared the worker.
    ///   - worker: The name of the worker.
    ///   - key: The key under which it was declared; empty if there is none.
    ///   - event: The start, an output, a failure or the end.
    public init(node: NodePath, worker: String, key: String, event: Event) {
        self.node = node
        self.worker = worker
        self.key = key
        self.event = event
    }
}
