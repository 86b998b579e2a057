public import LuaVM
public import PlainValue
public import WorkerKit
package import WorkflowKit
public import WorkflowLua
public import WorkflowPlugins

/// The settings for exploring a flow.
///
/// ```swift
/// var options = FlowExplorationOptions(actions: [["type": "brew"]])
/// options.plugins = try WorkerRegistry([ClockPlugin.plugin])
/// options.never = ["state.cups > 2"]
/// ```
public struct FlowExplorationOptions: Sendable {
    /// The props of the root.
    public var props: Value
    /// Further actions to try in each state: their fields with each sink of their type, and at the
    /// root if it accepts them.
    public var actions: [Value]
    /// Fields to add to the sinks at these places of the rendering.
    public var sinks: [(path: ValuePath, fields: Value.Record)] = []
    /// True if the root's actions are tried without fields; `true` by default. Their failures are
    /// then not findings.
    public var guessesActions: Bool
    /// The behaviors to try for each running worker; see ``WorkerBehavior``.
    public var workers: [WorkerBehavior]
    /// Lua expressions over the root's `state`, `rendering` and `props` that should never be true.
    public var never: [String]
    /// Lua expressions that bound the search: a state in which one is false is not followed.
    public var within: [String] = []
    /// Lua expressions for states in which the flow may stay, so that they are not dead ends.
    /// `final = true` in the rendering has the same effect.
    public var ends: [String] = []
    /// Lua expressions that should become true on every way, whatever happens.
    public var eventually: [String] = []
    /// Lua expressions that should be true in some state.
    public var reachable: [String] = []
    /// True if values that are not given are tried: for fields that a sink leaves open and the code
    /// reads, by their kinds and by values under their names in the state and the rendering; and
    /// for outputs of workers without a known behavior, by the shapes that their plugins declare.
    public var guessesValues = false
    /// True if each worker is made to fail, once on a way.
    public var failsWorkers = false
    /// The number of random walks after a limit ended the search; see ``walkLength``.
    public var walks = 0
    /// The number of steps of a random walk.
    public var walkLength = 100
    /// True if exploring continues after an output of the root, which would end a run.
    public var goesOnAfterOutputs: Bool
    /// The maximum number of states.
    public var maximumStates: Int
    /// The maximum number of steps to a state; unlimited by default.
    public var maximumDepth: Int?
    /// The maximum time; unlimited by default.
    public var maximumTime: Duration?
    /// The approximate maximum of bytes for states, renderings and ways; 512 MB by default. The
    /// step that exceeds it ends exploring.
    public var maximumMemory: Int
    /// The limits of each call into the flow, and its seed.
    public var limits: LuaVM.Options
    /// The folders of libraries that the flow may require besides `lua_modules`; none by default.
    public var libraries: [String] = []
    /// The known workers, whose inputs are checked.
    ///
    /// - Note: None of them runs: what they may give is in ``workers``.
    public var plugins: WorkerRegistry
    /// Registers the native workflows that the flow may render.
    public var registerNativeWorkflows: @Sendable (inout NativeWorkflows) -> Void

    /// A behavior of a worker: one output and its end, or a failure.
    public enum WorkerBehavior: Sendable, Hashable {
        /// A worker of this name gives this output, and ends if it is still declared.
        case output(worker: String, Value)
        /// A worker of this name fails.
        case failure(worker: String, WorkerError)

        /// The name of the worker.
        public var worker: String {
            switch self {
            case .output(let worker, _), .failure(let worker, _): worker
            }
        }
    }

    /// The snapshot to start from; `nil` for the flow's own beginning.
    package var snapshot: FlowSnapshot?
    /// True if exploring ends when all of ``never`` were true.
    package var endsWhenBroken = false
    /// Ends exploring with an error of the code `interrupted`.
    package var interrupt = FlowInterrupt()

    /// Makes options; each has a default.
    ///
    /// ```swift
    /// let options = FlowExplorationOptions(
    ///     workers: [.output(worker: "http.get", ["status": 503])], maximumTime: .seconds(60))
    /// ```
    ///
    /// - Parameters:
    ///   - props: The props of the root; an empty record by default.
    ///   - actions: Further actions to try in each state; none by default.
    ///   - guessesActions: True if the root's actions are tried without fields; `true` by default.
    ///   - workers: The behaviors to try for each running worker; none by default.
    ///   - never: Lua expressions that should never be true; none by default.
    ///   - goesOnAfterOutputs: True if exploring continues after an output; `false` by default.
    ///   - maximumStates: The number of states that ends the search; 1000 by default.
    ///   - maximumDepth: The number of steps to a state; unlimited by default.
    ///   - maximumTime: The time for the search; unlimited by default.
    ///   - maximumMemory: Approximate bytes; 512 MiB by default.
    ///   - limits: The limits of each call into the flow, and its seed; 1 s and 64 MiB by default.
    ///   - plugins: The plugins whose workers are known; none of them runs.
    ///   - registerNativeWorkflows: Registers the native workflows that the flow may render.
    public init(
        props: Value = [:], actions: [Value] = [], guessesActions: Bool = true,
        workers: [WorkerBehavior] = [], never: [String] = [], goesOnAfterOutputs: Bool = false,
        maximumStates: Int = 1000, maximumDepth: Int? = nil, maximumTime: Duration? = nil,
        maximumMemory: Int = 512 << 20, limits: LuaVM.Options = LuaVM.Options(),
        plugins: WorkerRegistry = WorkerRegistry(),
        registerNativeWorkflows: @escaping @Sendable (inout NativeWorkflows) -> Void = { _ in }
    ) {
        self.props = props
        self.actions = actions
        self.guessesActions = guessesActions
        self.workers = workers
        self.never = never
        self.goesOnAfterOutputs = goesOnAfterOutputs
        self.maximumStates = maximumStates
        self.maximumDepth = maximumDepth
        self.maximumTime = maximumTime
        self.maximumMemory = maximumMemory
        self.limits = limits
        self.plugins = plugins
        self.registerNativeWorkflows = registerNativeWorkflows
    }
}
