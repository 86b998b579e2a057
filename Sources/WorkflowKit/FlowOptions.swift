public import LuaVM
public import PlainValue
public import WorkerKit
public import WorkflowLua
public import WorkflowPlugins

/// The settings of a session.
public struct FlowOptions: Sendable {
    /// The props of the root.
    public var props: Value
    /// The limits of each call into the flow, and its seed.
    public var limits: LuaVM.Configuration
    /// Where the flow's scripts run: in this process, or in one of their own, which the kernel keeps from everything else.
    ///
    /// The same as `limits.isolation`.
    public var isolation: LuaVM.Configuration.Isolation {
        get { limits.isolation }
        set { limits.isolation = newValue }
    }
    /// What bounds how many sessions have a process for their scripts at a time; nothing by default, and without
    /// ``isolation``.
    ///
    /// A `StoredSession`, and a `SessionPool`, borrow a process before they ask anything of a session.
    public var processes: ScriptProcesses?
    /// Registers the native workflows that the flow may render; called once, on the session.
    public var registerNativeWorkflows: @Sendable (inout NativeWorkflows) -> Void
    /// The plugins whose workers the flow may run; none by default. One registry serves many sessions.
    public var plugins: WorkerRegistry
    /// What these workers may reach; nothing by default.
    public var grants: Grants
    /// Called with each access of a worker that is granted or refused, on any thread; nothing by default.
    public var onAccess: (@Sendable (WorkerAccess) -> Void)?
    /// Makes the help of the error for a worker whose access is refused when the flow declares it; by default the help
    /// says how to grant this access on the command line.
    public var grantAdvice: (@Sendable (Access) -> String?)?
    /// Whether workers run; otherwise they are declared and nothing more, and ``FlowSession/play(_:)`` plays their part.
    public var runsWorkers: Bool
    /// The clock of workers; a virtual one in tests.
    public var clock: any Clock<Duration>
    /// Whether the session keeps its timeline, so that steps can be undone; on by default. It costs memory for each input.
    public var keepsTimeline: Bool
    /// Where the session is recorded; nowhere by default.
    public var journal: FlowJournal?
    /// The names of fields whose values are not told to those who look at the session from a page, wherever they stand;
    /// those of the ``journal`` are not either.
    public var secrets: Set<String> = []
    /// Whether each render is checked for changes to the state, which costs a walk through the state; on by
    /// default.
    public var checksRenders: Bool
    /// How many nodes may stand above one another.
    public var maximumDepth: Int
    /// The time, in milliseconds since 1970.
    public var now: @Sendable () -> Int
    /// Whether a snapshot is gone on with that other texts of the flow's files have made, if its states fit; `false` unless
    /// it is set. A flow says of itself that it takes such snapshots by a greater `version`.
    public var takesChangedFiles = false
    /// The name of a flow that says none itself; by default that of its file.
    public var flowName: String?
    /// The name of this session in its events, and in the identities of its workers.
    public var sessionName: String
    /// The step of a longer session at which this one begins, for hosts that keep sessions: what workers know as their
    /// step is counted from there.
    public var firstStep = 0
    /// Where the session deals with what its workers send; the global executor by default.
    ///
    /// A session is an actor without an executor of its own, so its calls run where the calling task prefers to run. With
    /// this and `withTaskExecutorPreference` around the calls a flow never runs on the threads of the global executor;
    /// a `SessionPool` sees to both.
    public var executor: (any TaskExecutor)?
    /// Called on the session with each input that it took and the number of its step, before the call that brought it
    /// returns; for whoever keeps the inputs.
    ///
    /// If it is set, workers are held from the start and from each input on, until ``FlowSession/confirm(through:)``:
    /// nothing is done outside for an input that is not kept yet.
    public var onInput: (@Sendable (FlowInput, Int) -> Void)?

    /// Settings; each has a default.
    public init(
        props: Value = [:],
        limits: LuaVM.Configuration = LuaVM.Configuration(),
        plugins: WorkerRegistry = WorkerRegistry(),
        grants: Grants = Grants(),
        runsWorkers: Bool = true,
        clock: any Clock<Duration> = ContinuousClock(),
        keepsTimeline: Bool = true,
        journal: FlowJournal? = nil,
        checksRenders: Bool = true,
        maximumDepth: Int = 1000,
        sessionName: String = "session",
        now: @escaping @Sendable () -> Int = FlowOptions.wallClock,
        registerNativeWorkflows: @escaping @Sendable (inout NativeWorkflows) -> Void = { _ in }
    ) {
        self.props = props
        self.limits = limits
        self.plugins = plugins
        self.grants = grants
        self.runsWorkers = runsWorkers
        self.clock = clock
        self.keepsTimeline = keepsTimeline
        self.journal = journal
        self.checksRenders = checksRenders
        self.maximumDepth = maximumDepth
        self.sessionName = sessionName
        self.now = now
        self.registerNativeWorkflows = registerNativeWorkflows
    }
}
