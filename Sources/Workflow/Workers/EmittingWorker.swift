/// Asynchronous work that a workflow declares, and that emits outputs while it runs.
///
/// This is what all workers have in common; most are written as a ``Worker`` (one output) or a ``StreamingWorker`` (a
/// sequence of them). A worker runs in its own task from the end of the pass that first declared it to the
/// end of the first pass that does not, or that declares one which is not equivalent. It starts once and is
/// cancelled at most once, and what it emits after that is never applied.
///
/// ```swift
/// Search(text: state.text)
///     .mapOutput { Action.found($0) }
///     .running(in: context)
/// ```
public protocol EmittingWorker<Output>: AnyWorkflowConvertible, Sendable, SendableMetatype
where Rendering == Void, Output: Sendable {
    /// What the worker emits.
    associatedtype Output

    /// Whether this worker does the same work as `otherWorker`, which then goes on undisturbed.
    ///
    /// Compare whatever matters to the work. A worker that is `Equatable` compares by that.
    func isEquivalent(to otherWorker: Self) -> Bool

    /// Does the work, and sends outputs to `outlet` on the way.
    ///
    /// Called once, in a task of its own. When the worker is to stop, that task is cancelled.
    ///
    /// - Throws: Whatever makes the work fail. A failure is reported by the host, or is an output where the
    ///   parent asked for ``asResult()``.
    func run(into outlet: WorkerOutlet<Output>) async throws
}

extension EmittingWorker where Self: Equatable {
    /// Whether the two are equal.
    public func isEquivalent(to otherWorker: Self) -> Bool { self == otherWorker }
}

extension EmittingWorker {
    /// Renders the worker's node; a failure goes to the host.
    public func render<Parent>(for request: ChildRequest<Parent, Output>) {
        asResult().render(
            for: request.mapOutput { result in
                switch result {
                case .success(let output): output
                case .failure(let error): throw WorkerFailure(error: error)
                }
            })
    }

    /// This worker with its failures as outputs, for a parent that handles them.
    public func asResult() -> WorkerWorkflow<Self> { WorkerWorkflow(worker: self) }
}

/// A failure of a worker on its way up to the host.
struct WorkerFailure: Error {
    let error: any Error
}
