import LibC
public import LuaVM
public import PlainValue
public import Timers
public import WorkerKit
public import WorkflowLua
public import WorkflowPlugins

/// The settings of a session.
///
/// ```swift
/// var options = FlowOptions(props: ["guest": "Ada"])
/// options.limits.timeLimit = .milliseconds(500)
/// options.plugins = try WorkerRegistry([ClockPlugin.plugin, FilePlugin.plugin])
/// options.grants = Grants([Grant("file.read", folder)], folder: folder)
/// ```
public struct FlowOptions: Sendable {
    /// The props of the root.
    public var props: Value
    /// The name of the session's creator; `nil` by default. The root's `state` gets it as
    /// `context.principal`, and the log and snapshots keep it. A restored snapshot has its own.
    public var principal: String?
    /// The limits of each call into the flow, and its seed.
    public var limits: LuaVM.Options
    /// The place in which the flow's scripts run: this process, or a separate, sandboxed one.
    ///
    /// An alias of `limits.isolation`.
    public var isolation: LuaVM.Options.Isolation {
        get { limits.isolation }
        set { limits.isolation = newValue }
    }
    /// Limits the script processes of sessions with ``isolation`` at a time; no limit by default.
    ///
    /// A `StoredSession` and a `SessionPool` borrow a process before they call a session.
    public var processes: ScriptProcesses?
    /// Registers the native workflows that the flow may render; called once, on the session.
    public var registerNativeWorkflows: @Sendable (inout NativeWorkflows) -> Void
    /// The plugins whose workers the flow may run; none by default. Sessions may share them.
    public var plugins: WorkerRegistry
    /// The grants of these workers; none by default.
    public var grants: Grants
    /// Called with each granted or refused access of a worker, on any thread; `nil` by default.
    public var onAccess: (@Sendable (WorkerAccess) -> Void)?
    /// Makes the `help` of the error when a declared worker lacks a grant; by default it names the
    /// missing `Grant`.
    public var grantAdvice: (@Sendable (Access) -> String?)?
    /// True if declared workers run, as by default; else ``FlowSession/play(_:by:)`` plays them.
    public var runsWorkers: Bool
    /// The workers that are refused in the first render, for a session that is replayed.
    var refusals: [WorkerRefusal] = []
    /// The clock of workers; a virtual one in tests.
    public var clock: any Clock<Duration>
    /// True if the timeline is kept for undo, with memory for each input; `true` by default.
    public var keepsTimeline: Bool
    /// The journal that records the session; `nil` by default.
    public var journal: FlowJournal?
    /// The names of fields whose values pages of the session hide, with those of the ``journal``.
    public var secrets: Set<String> = []
    /// True if a walk through the state checks that a render left it as it was; `true` by default.
    public var checksRenders: Bool
    /// The maximum number of nodes above one another; 1000 by default.
    public var maximumDepth: Int
    /// The time of inputs, in whole milliseconds since 1970; the system's time by default.
    public var now: @Sendable () -> Int
    /// True if a snapshot from different files of the flow is accepted when its states fit;
    /// `false` by default. A flow accepts such snapshots itself by a greater `version`.
    public var takesChangedFiles = false
    /// The name of a flow that declares none; the name of its file by default.
    public var flowName: String?
    /// The time at which the session began, in milliseconds since 1970; by default it begins now.
    var startTime: Int?
    /// The folders of libraries that the flow may require besides those in `lua_modules` beside it:
    /// each holds modules, or is a tree written by LuaRocks. None by default.
    public var libraries: [String] = []
    /// The name of this session in its events, and in the identities of its workers.
    public var sessionName: String
    /// The step of a longer session at which this one begins, for hosts that store sessions. The
    /// steps in identities of workers are counted from there.
    public var firstStep = 0
    /// The executor on which the session processes outputs of workers; the global one by default.
    ///
    /// A session is an actor without a custom executor, so its calls run on the executor preference
    /// of the calling task. With this option and `withTaskExecutorPreference` around the calls, a
    /// flow never runs on the threads of the global executor. A `SessionPool` does both.
    public var executor: (any TaskExecutor)?
    /// The executor on which workers run; their own threads by default.
    package var workerExecutor: any TaskExecutor = WorkerThreads.shared
    /// Called with the session's interrupt, to watch its calls; the function that it returns is
    /// called when the session is released. `nil` by default.
    package var watch: (@Sendable (FlowInterrupt) -> @Sendable () -> Void)?
    /// Finds likely mistakes in the files at these paths, and names one of them in each place. The
    /// mistakes are logged whenever the flow's files have been loaded. `nil` by default.
    package var mistakes: (@Sendable ([String]) -> [FlowLog])?
    /// Called on the session with each accepted input and its step, to store it. The call waits.
    ///
    /// - Important: If it is set, workers are held from the start and after each input until
    ///   ``FlowSession/confirm(through:)``. So no input has outside effects before it is stored.
    public var onInput: (@Sendable (FlowInput, Int) -> Void)?

    /// Makes options; each has a default.
    ///
    /// ```swift
    /// let options = FlowOptions(runsWorkers: false, now: { 0 })  // for a test
    /// ```
    ///
    /// - Parameters:
    ///   - props: The props of the root; an empty record by default.
    ///   - limits: The limits of each call into the flow, and its seed; 1 s and 64 MiB by default.
    ///   - plugins: The plugins whose workers the flow may run; none by default.
    ///   - grants: The access that these workers have; none by default.
    ///   - runsWorkers: True if declared workers run; else ``FlowSession/play(_:by:)`` plays them.
    ///   - clock: The clock of workers; a virtual one in tests.
    ///   - keepsTimeline: True if all inputs are kept in memory for undo; `true` by default.
    ///   - journal: Records the session; `nil` for no recording.
    ///   - checksRenders: True if renders are checked for changes to the state; `true` by default.
    ///   - maximumDepth: The maximum number of nodes above one another; 1000 by default.
    ///   - sessionName: The name in events and in the identities of workers.
    ///   - now: The time of inputs, in whole milliseconds since 1970; the system's by default.
    ///   - registerNativeWorkflows: Registers the native workflows that the flow may render; called
    ///     once, on the session.
    public init(
        props: Value = [:],
        limits: LuaVM.Options = LuaVM.Options(),
        plugins: WorkerRegistry = WorkerRegistry(),
        grants: Grants = Grants(),
        runsWorkers: Bool = true,
        clock: any Clock<Duration> = TimerClock(),
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

    /// The system's time, in milliseconds since 1970.
    @Sendable public static func wallClock() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec) * 1000 + Int(now.tv_nsec) / 1_000_000
    }

    /// A monotonic time in milliseconds, exact to a few of them, which takes nanoseconds to read.
    static func coarseClock() -> Int {
        #if canImport(Darwin)
            return Int(clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX) / 1_000_000)
        #else
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
            return Int(now.tv_sec) * 1000 + Int(now.tv_nsec) / 1_000_000
        #endif
    }
}
