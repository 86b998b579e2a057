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

    /// Does the work, and sends outputs to `sink` on the way.
    ///
    /// Called once, in a task of its own. When the worker is to stop, that task is cancelled.
    ///
    /// - Throws: Whatever makes the work fail. A failure is reported by the host, or is an output where the
    ///   parent asked for ``asResult()``.
    func run(into sink: WorkerSink<Output>) async throws

    /// Tells workers apart that share one Swift type, as ``Workflow/nodeType`` does; by default that type.
    var nodeType: ObjectIdentifier { get }

    /// The name of the worker in paths and messages; by default the name of its Swift type.
    var nodeName: String { get }
}

extension EmittingWorker {
    /// The Swift type of the worker.
    @inlinable
    public var nodeType: ObjectIdentifier { ObjectIdentifier(Self.self) }

    /// The name of the Swift type, without its module.
    public var nodeName: String { typeName(of: Self.self) }
}

extension EmittingWorker where Self: Equatable {
    /// Whether the two are equal.
    @inlinable
    public func isEquivalent(to otherWorker: Self) -> Bool { self == otherWorker }
}

extension EmittingWorker {
    /// Renders the worker's node; a failure goes to the host.
    @inlinable
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) {
        asEvents().render(
            in: context, key: key, site: site,
            route: route.mapOutput { event in
                switch event {
                case .output(let output): output
                case .failed(let error): throw WorkerFailure(error: error)
                case .started, .finished, .cancelled, .abandoned: nil
                }
            })
    }

    /// This worker with its failures as outputs, for a parent that handles them.
    @inlinable
    public func asResult() -> WorkerResults<Self> { WorkerResults(worker: self) }

    /// This worker with its failures and its end as outputs, for a parent that handles them.
    @inlinable
    public func asEvents() -> WorkerWorkflow<Self> { WorkerWorkflow(worker: self) }
}

/// A worker whose failures are outputs; made by ``EmittingWorker/asResult()``.
public struct WorkerResults<W: EmittingWorker>: AnyWorkflowConvertible {
    /// What the worker emitted, or the error that it threw.
    public typealias Output = Result<W.Output, any Error>

    /// The worker.
    public let worker: W

    @inlinable
    init(worker: W) { self.worker = worker }

    /// Renders the worker's node.
    @inlinable
    public func render<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) {
        worker.asEvents().render(
            in: context, key: key, site: site,
            route: route.mapOutput { event in
                switch event {
                case .output(let output): .success(output)
                case .failed(let error): .failure(error)
                case .started, .finished, .cancelled, .abandoned: nil
                }
            })
    }
}

/// A failure of a worker on its way up to the host.
@usableFromInline
struct WorkerFailure: Error {
    @usableFromInline let error: any Error

    @inlinable
    init(error: any Error) { self.error = error }
}
