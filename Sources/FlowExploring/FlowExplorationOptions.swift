public import LuaVM
public import PlainValue
public import WorkerKit
package import WorkflowKit
public import WorkflowLua
public import WorkflowPlugins

/// The settings with which a flow is explored.
public struct FlowExplorationOptions: Sendable {
    /// The props of the root.
    public var props: Value
    /// Actions that are tried in each state besides those of its sinks: for each sink of their type, as fields that are
    /// added, and at the root if it takes them.
    public var actions: [Value]
    /// Fields that are added to the sinks at these places of a rendering, where there is one.
    public var sinks: [(path: ValuePath, fields: Value.Record)] = []
    /// Whether the root's actions without fields are tried too; on by default. As they may need fields, nothing is found
    /// if they fail.
    public var guessesActions: Bool
    /// What workers may do, tried for each that runs; see ``WorkerBehavior``.
    public var workers: [WorkerBehavior]
    /// Lua expressions over `state` (of the root), `rendering` and `props` that should be true in no state.
    public var never: [String]
    /// Whether exploring goes on after an output of the root, where a run would end.
    public var goesOnAfterOutputs: Bool
    /// How many states are looked at.
    public var maximumStates: Int
    /// How many steps lead to a state at most; any number by default.
    public var maximumDepth: Int?
    /// How long exploring takes at most; any time by default.
    public var maximumTime: Duration?
    /// About how many bytes are kept of what was seen: states, renderings, the ways there; 512 MB by default. With the
    /// step that goes past it exploring ends.
    public var maximumMemory: Int
    /// The limits of each call into the flow, and its seed.
    public var limits: LuaVM.Configuration
    /// The plugins whose workers are known: what the flow gives these is checked. None of them ever runs.
    public var plugins: WorkerRegistry
    /// Registers the native workflows that the flow may render.
    public var registerNativeWorkflows: @Sendable (inout NativeWorkflows) -> Void

    /// What a worker may do: give one output and end, or fail.
    public enum WorkerBehavior: Sendable, Hashable {
        /// A worker of this name gives this output, and comes to its end if it is still declared then.
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

    /// Where exploring begins; `nil`: as the flow does.
    package var snapshot: FlowSnapshot?
    /// Whether exploring ends when all of ``never`` were true.
    package var endsWhenBroken = false
    /// Ends exploring, by an error of the code `interrupted`.
    package var interrupt = FlowInterrupt()

    /// Settings; each has a default.
    public init(
        props: Value = [:], actions: [Value] = [], guessesActions: Bool = true,
        workers: [WorkerBehavior] = [],
        never: [String] = [], goesOnAfterOutputs: Bool = false, maximumStates: Int = 1000,
        maximumDepth: Int? = nil, maximumTime: Duration? = nil, maximumMemory: Int = 512 << 20,
        limits: LuaVM.Configuration = LuaVM.Configuration(),
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
