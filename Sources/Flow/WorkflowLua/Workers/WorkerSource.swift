public import PlainValue
public import WorkerKit
public import Workflow

/// Provides the workers that flows name in `context:run`.
public protocol WorkerSource: Sendable {
    /// Returns the work of the worker with a name and input.
    ///
    /// Called in a render when a node declares a new worker, or a worker with a new input. Nothing
    /// runs before the pass is complete.
    ///
    /// - Throws: A `WorkerError` with the code `unknown_worker`, `bad_input` or `not_granted`,
    ///   which fails the render.
    func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork

    /// Returns the work for a source that distinguishes the runs of workers.
    ///
    /// - Parameters:
    ///   - name: The name in `context:run`.
    ///   - input: The declared input.
    ///   - path: The path of the worker, below that of its node.
    /// - Throws: As ``work(of:input:)``.
    func work(of name: String, input: Value, at path: NodePath) throws(WorkerError) -> ScriptedWork
}

extension WorkerSource {
    /// Returns the work of a worker, regardless of its path.
    ///
    /// - Parameters:
    ///   - name: The name in `context:run`.
    ///   - input: The declared input.
    ///   - path: The path of the worker, which is not used.
    /// - Throws: As ``work(of:input:)``.
    public func work(
        of name: String, input: Value, at path: NodePath
    ) throws(WorkerError) -> ScriptedWork { try work(of: name, input: input) }
}

/// The background work of a declared worker; see ``WorkerSource``.
///
/// Called once per run, in a task that is cancelled when the run has to stop.
///
/// - Throws: Any error makes the run fail; a `WorkerError` reaches the flow unchanged.
public typealias ScriptedWork = @Sendable (WorkerSink<WorkerOutput>) async throws -> Void

/// A source without workers.
public struct NoWorkers: WorkerSource {
    /// Makes a source without workers.
    public init() {}

    /// Refuses every worker.
    ///
    /// - Throws: A `WorkerError` with the code `unknown_worker`.
    public func work(of name: String, input: Value) throws(WorkerError) -> ScriptedWork {
        throw WorkerError(
            "unknown_worker", "there is no worker '\(name)': no plugin offers it",
            help: "load the plugin that offers it into the WorkerRegistry")
    }
}
