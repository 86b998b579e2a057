/// Asynchronous work that a workflow declares, and that emits outputs while it runs.
///
/// This is the base of all workers. Most conform to ``Worker`` (one output) or ``StreamingWorker``
/// (a sequence of outputs). A worker runs in its own task. It starts after the pass that first
/// declared it, and is cancelled after the first pass that does not declare it or declares one that
/// is not equivalent. Outputs after the cancellation are dropped.
///
/// ```swift
/// Search(text: state.text)
///     .mapOutput { Action.found($0) }
///     .running(in: context)
/// ```
public protocol EmittingWorker<Output>: AnyWorkflowConvertible, Sendable, SendableMetatype
where Rendering == Void, Output: Sendable {
    /// The worker's outputs.
    associatedtype Output

    /// True if this worker does the same work as `otherWorker`, which then continues.
    /// Compare what matters to the work. The default for an `Equatable` worker is `==`.
    func isEquivalent(to otherWorker: Self) -> Bool

    /// Does the work, and sends outputs to `sink`. Called once, in its own task. When the worker
    /// has to stop, that task is cancelled.
    ///
    /// - Throws: Any error makes the work fail. The host reports it, or it is an output if the
    ///   parent uses ``asResult()``.
    func run(into sink: WorkerSink<Output>) async throws

    /// Distinguishes workers of one type, as ``Workflow/nodeType`` does. The default is that type.
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
    /// True if the two are equal.
    @inlinable
    public func isEquivalent(to otherWorker: Self) -> Bool { self == otherWorker }
}

extension EmittingWorker {
    /// Renders the worker's node. A failure is reported to the host.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Distinguishes workers of one type.
    ///   - site: The source line that runs the worker, for messages.
    ///   - route: The route of the worker's outputs.
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

    /// This worker with its failures as outputs.
    ///
    /// ```swift
    /// LookUp(text: "ab").asResult().running(in: context) { (try? $0.get()).map(Action.found) }
    /// ```
    @inlinable
    public func asResult() -> WorkerResults<Self> { WorkerResults(worker: self) }

    /// This worker with its failures and its end as outputs.
    ///
    /// ```swift
    /// LookUp(text: "ab").asEvents().running(in: context) { event in
    ///     if case .finished = event { Action.found([]) } else { nil }
    /// }
    /// ```
    @inlinable
    public func asEvents() -> WorkerWorkflow<Self> { WorkerWorkflow(worker: self) }
}

/// A worker whose failures are outputs; made by ``EmittingWorker/asResult()``.
public struct WorkerResults<W: EmittingWorker>: AnyWorkflowConvertible {
    /// An output of the worker, or the error that it threw.
    public typealias Output = Result<W.Output, any Error>

    /// The worker.
    public let worker: W

    @inlinable
    init(worker: W) { self.worker = worker }

    /// Renders the worker's node.
    ///
    /// - Parameters:
    ///   - context: The context of the parent's render.
    ///   - key: Distinguishes workers of one type.
    ///   - site: The source line that runs the worker, for messages.
    ///   - route: The route of the outputs and failures.
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

@usableFromInline
struct WorkerFailure: Error {
    @usableFromInline let error: any Error

    @inlinable
    init(error: any Error) { self.error = error }
}
