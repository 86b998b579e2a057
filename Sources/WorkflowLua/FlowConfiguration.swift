public import LuaVM
public import PlainValue
public import Workflow

/// The settings with which a flow is loaded and run.
public struct FlowConfiguration {
    /// The limits of each call into the flow, and the seed of its random numbers.
    public var limits: LuaVM.Configuration
    /// The native Swift workflows that the flow may render by name.
    public var nativeWorkflows: NativeWorkflows
    /// The workers that the flow may run by name; none by default.
    public var workers: any WorkerSource
    /// The time of the action that is being applied, in seconds since 1970; what a flow sees as `context.now`.
    public var now: () -> Double
    /// Called with each line that the flow prints, and with each note about what it leaves out.
    public var onPrint: (FlowLog) -> Void
    /// Called when an action begins to be applied, for the log of what happened.
    public var onAction: ((AppliedAction) -> Void)?
    /// Called when a node learns what became of one of its workers, before it makes an action of it.
    public var onWorker: (WorkerNews) -> Void
    /// Whether a render that changes its node's state is looked for after each render.
    public var checksRenders: Bool
    /// What stops the flow's calls from outside; it serves the flow that was loaded with it last.
    public var interrupt: FlowInterrupt

    /// The name of a root definition that says none itself; by default that of its file.
    public var rootName: String?

    /// A configuration; every setting has a default, and by default nothing is printed or logged.
    public init(
        limits: LuaVM.Configuration = LuaVM.Configuration(),
        nativeWorkflows: NativeWorkflows = NativeWorkflows(),
        workers: any WorkerSource = NoWorkers(),
        now: @escaping () -> Double = { 0 },
        onPrint: @escaping (FlowLog) -> Void = { _ in },
        onAction: ((AppliedAction) -> Void)? = nil,
        onWorker: @escaping (WorkerNews) -> Void = { _ in },
        checksRenders: Bool = false,
        interrupt: FlowInterrupt = FlowInterrupt()
    ) {
        self.limits = limits
        self.nativeWorkflows = nativeWorkflows
        self.workers = workers
        self.now = now
        self.onPrint = onPrint
        self.onAction = onAction
        self.onWorker = onWorker
        self.checksRenders = checksRenders
        self.interrupt = interrupt
    }
}

/// A line that a flow printed, or a note about it.
public struct FlowLog: Sendable {
    /// The text, as `print` puts it together.
    public var message: String
    /// Where `print` was called, or what the note is about.
    public var location: FlowError.Location?
    /// Whether it is a note of the host: something that is no error is most likely a mistake.
    public var isNote = false
}

/// An action that begins to be applied to a scripted node.
public struct AppliedAction: Sendable {
    /// The path of the node.
    public var node: NodePath
    /// The action, with its `type`.
    public var action: Value
    /// Who caused it: `client`, `child:` and the path of the child whose output it answers, or `worker:` and the name
    /// and key of the worker.
    public var source: String
}
