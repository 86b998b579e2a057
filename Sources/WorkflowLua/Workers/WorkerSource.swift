public import PlainValue
public import WorkerKit
public import Workflow

/// Knows the workers that flows name in `context:run`.
public protocol WorkerSource: Sendable {
    /// The work that a worker of this name does with this input.
    ///
    /// Called in a render when a node declares a worker which it did not declare before, or not with this input. Nothing
    /// runs before the pass is complete.
    ///
    /// - Throws: A `WorkerError` with the code `unknown_worker`, `bad_input` or `not_granted`, which fails the render.
    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork

    /// The same for a source that tells the runs of workers apart.
    ///
    /// - Parameter path: The path of the worker, below that of its node.
    func work(
        of name: String, input: Value, at path: NodePath
    ) throws(WorkerError) -> ScriptedWork
}

extension WorkerSource {
    /// The work of a worker, wherever it is declared.
    public func work(
        of name: String, input: Value, at path: NodePath
    ) throws(WorkerError) -> ScriptedWork { try work(of: name, input: input) }
}

/// What a worker does in the background while it is declared; see ``WorkerSource``.
///
/// Called once a run, in a task that is cancelled when the run is to stop.
///
/// - Throws: What makes the run fail; a `WorkerError` reaches the flow as it is.
public typealias ScriptedWork =
    @Sendable (WorkerSink<WorkerOutput>) async throws -> Void

/// No workers: each one is unknown.
public struct NoWorkers: WorkerSource {
    /// None.
    public init() {}

    /// Throws that there is no such worker.
    public func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        throw WorkerError(
            "unknown_worker", "there is no worker '\(name)': no plugin offers it",
            help: "load the plugin that offers it into the WorkerRegistry")
    }
}
