import Timers

/// The settings of a ``WorkflowHost``.
///
/// ```swift
/// var options = HostOptions()
/// options.observers = [ActionPrinter()]
/// options.onReport = { report in print("report: \(report)") }
/// let host = WorkflowHost(workflow: Counter(step: 2), options: options)
/// ```
public struct HostOptions {
    /// The depth of nodes, including the root, at which ``RenderContext/allowsChildren`` becomes
    /// `false`; 1,000 by default.
    ///
    /// A workflow that interprets scripts checks that before it renders a child.
    ///
    /// - Warning: Native workflows may nest as deep as the stack of their thread allows. Shortly
    ///   before its end the host reports ``WorkflowReport/stackNearlyFull(_:depth:)`` and traps.
    public var maximumDepth: Int

    /// Called on the owner's isolation for each failure, dropped action and misuse. By default it
    /// writes a line to standard error.
    public var onReport: (WorkflowReport) -> Void

    /// The clock of workers, their ``WorkerClock/current``; a `TimerClock` by default.
    public var clock: any Clock<Duration> = TimerClock()

    /// The preferred executor of workers; the global executor by default.
    public var workerExecutor: (any TaskExecutor)?

    /// The executor on which the owner is woken for actions from elsewhere, if it is an actor
    /// without a custom executor; the global executor by default.
    public var executor: (any TaskExecutor)?

    /// Runs its argument, which processes actions from elsewhere, when it can; at once by default.
    package var drains: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)?

    /// True if the maker of a host without an actor collects what others send; `false` by default.
    package var isPumped = false

    /// Called on the owner's isolation for each event of a worker, with its node; `nil` by default.
    /// An observer gets the same events, but costs time in every step.
    public var onWorkerEvent: ((WorkerEvent<Void, any Error>, NodeIdentity) -> Void)?

    /// The observers of every step, in order; none by default.
    public var observers: [any WorkflowObserver] = []

    /// The interceptors, which wrap or replace steps, the first one outermost; none by default.
    public var interceptors: [any WorkflowInterceptor] = []

    /// True if each node is rendered twice and differences are reported, which finds renders that
    /// are not idempotent; `false` by default. A host with interceptors still renders once.
    ///
    /// - Important: For tests and development: it costs more than twice the time.
    public var isStrict = false

    /// True if an action is applied although the node's last render did not make its sink again.
    /// By default `false`: the action is dropped and reported as ``DropReason/notDeclared``.
    ///
    /// An example is a second tap on a button that is no longer in the rendering. A sink of
    /// ``WorkflowHost/sink(of:at:)`` that no render made is never refused.
    ///
    /// - Important: Actions from elsewhere may also be meant for an earlier rendering, so a
    ///   workflow must make a sink in each render in which it accepts the sink's actions.
    public var appliesUndeclared = false

    /// True if every node is rendered in every pass; `false` by default. For tests.
    public var rendersEverything = false

    /// Makes options; each has a default.
    ///
    /// ```swift
    /// let options = HostOptions(maximumDepth: 100, onReport: { print($0) })
    /// ```
    public init(
        maximumDepth: Int = 1000,
        onReport: @escaping (WorkflowReport) -> Void = HostOptions.printReport
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
