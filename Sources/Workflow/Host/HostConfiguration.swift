/// The settings of a ``WorkflowHost``.
public struct HostConfiguration {
    /// How many nodes may stand above one another, the root included, before ``RenderContext/allowsChildren`` is
    /// `false`; 1,000 by default.
    ///
    /// A workflow that interprets scripts asks for that before it renders a child. Native workflows may go on as far
    /// as the stack of their thread allows: shortly before its end the host reports
    /// ``WorkflowReport/stackNearlyFull(_:depth:)`` and traps, as a native workflow has no way to give up.
    public var maximumDepth: Int

    /// Called on the owner's isolation for each failure, dropped action and misuse.
    ///
    /// By default a line is written to standard error.
    public var onReport: (WorkflowReport) -> Void

    /// The clock of workers, which they read as ``WorkerClock/current``; a continuous clock by default.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Where workers prefer to run; the global executor by default.
    public var workerExecutor: (any TaskExecutor)?

    /// Where the owner is woken for what came from elsewhere, if it is an actor without an executor of its own; the
    /// global executor by default.
    public var executor: (any TaskExecutor)?

    /// Has what came from elsewhere dealt with by its argument, when there is room for that; at once by default.
    package var drains: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)?

    /// Called on the owner's isolation for each event of a worker, with its node;
    /// none by default. An observer is told the same, but costs time in every step.
    public var onWorkerEvent: ((WorkerEvent<Void, any Error>, NodeIdentity) -> Void)?

    /// See every step, in this order; none by default.
    public var observers: [any WorkflowObserver] = []

    /// Wrap or replace steps, the first one outermost; none by default.
    public var interceptors: [any WorkflowInterceptor] = []

    /// Whether each node renders twice and what differs is reported, to find renders that are not
    /// idempotent; `false` by default. For tests and development: it costs more than twice the time. A host with
    /// interceptors renders once all the same.
    public var isStrict = false

    /// Whether an action is applied that comes through a sink which the node's last render did not make again;
    /// `false` by default: it is dropped and reported as ``DropReason/notDeclared``.
    ///
    /// A second tap on a button that the last rendering does not have any more is such an action. What is sent from
    /// elsewhere may be meant for an earlier rendering too, so a workflow makes a sink in each render in which it
    /// takes what comes through it. A sink of ``WorkflowHost/sink(of:at:)`` that no render made is never refused.
    public var appliesUndeclared = false

    /// Whether every pass renders every node, changed or not; `false` by default. For tests that hold one
    /// way equal to the other.
    public var rendersEverything = false

    /// A configuration; every setting has a default.
    public init(
        maximumDepth: Int = 1000,
        onReport: @escaping (WorkflowReport) -> Void = HostConfiguration.printReport
    ) {
        self.maximumDepth = maximumDepth
        self.onReport = onReport
    }

    /// Writes a report as one line to standard error.
    public static func printReport(_ report: WorkflowReport) {
        var standardError = StandardError()
        print("workflow:", report, to: &standardError)
    }
}
