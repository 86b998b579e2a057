public import PlainValue
public import WorkerKit
public import Workflow

/// What became of a worker that a scripted node declared, at the moment at which the node learns of it.
public struct WorkerNews: Sendable, Hashable {
    /// The path of the node that declared the worker.
    public var node: NodePath
    /// The name of the worker.
    public var worker: String
    /// The key under which it was declared; empty if there is none.
    public var key: String
    /// What became of it.
    public var content: Content

    /// What can become of a worker.
    public enum Content: Sendable, Hashable {
        /// It gave an output.
        case output(Value)
        /// It came to its end by itself.
        case finished
        /// It failed.
        case failed(WorkerError)
    }

    /// News from their parts.
    public init(node: NodePath, worker: String, key: String, content: Content) {
        self.node = node
        self.worker = worker
        self.key = key
        self.content = content
    }
}
