public import WorkflowLua

/// An event of a worker that changed nothing because the flow's action failed.
public struct RefusedOutput: Sendable, Hashable {
    /// An output, the failure or the end of the worker.
    public var event: WorkerNews.Event
    /// The reason for which it was refused: the message of the error.
    public var reason: String
    /// The time at which it was given, in milliseconds since 1970.
    public var milliseconds: Int
    /// The step after which it was given.
    public var step: Int
}
