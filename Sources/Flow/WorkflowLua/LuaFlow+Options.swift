public import LuaVM
public import PlainValue
public import Workflow

extension LuaFlow {
    /// The settings with which a flow is loaded and run.
    ///
    /// ```swift
    /// var options = LuaFlow.Options()
    /// options.limits.timeLimit = .milliseconds(200)
    /// options.nativeWorkflows.register("upper", props: Upper.self) { $0 }
    /// let flow = try LuaFlow(file: path, options: options)
    /// ```
    public struct Options {
        /// The limits of each call into the flow, and the seed of its random numbers.
        public var limits: LuaVM.Options
        /// The native Swift workflows that the flow may render by name.
        public var nativeWorkflows: NativeWorkflows
        /// The workers that the flow may run by name; none by default.
        public var workers: any WorkerSource
        /// The time of the current action, in whole milliseconds since 1970, which a flow sees in
        /// seconds as `context.now`. It is 0 by default, so that runs can be repeated.
        public var now: () -> Int
        /// The name of the input's sender, which a flow sees as `context.principal`; `nil` for
        /// nobody.
        public var principal: () -> String?
        /// Called with each line that the flow prints, and with each note about a likely mistake.
        public var onPrint: (FlowLog) -> Void
        /// Called when an action begins to be applied, for logging.
        public var onAction: ((AppliedAction) -> Void)?
        /// Called when a node receives an event of a worker, before it makes an action from it.
        public var onWorker: (WorkerNews) -> Void
        /// True if each render is checked for changes to its node's state.
        public var checksRenders: Bool
        /// Interrupts the flow's calls from outside.
        ///
        /// - Important: It belongs to the last flow loaded with it: make one for each flow.
        public var interrupt: FlowInterrupt

        /// The time at which the session began, in milliseconds since 1970, which files see while
        /// they are loaded; by default the time of loading.
        package var startTime: Int?
        /// The folders of libraries that the flow may require besides those in `lua_modules` beside
        /// it: each holds modules, or is a tree written by LuaRocks. None by default.
        public var libraries: [String] = []

        /// The name of a root definition without a name; the name of its file by default.
        public var rootName: String?

        /// Makes options; each has a default. By default nothing is printed or logged.
        ///
        /// ```swift
        /// let options = LuaFlow.Options(
        ///     now: { Int(Date.now.timeIntervalSince1970 * 1000) }, onPrint: { print($0.message) })
        /// ```
        ///
        /// - Parameters:
        ///   - limits: The limits of each call into the flow, and its seed; by default 1 s and
        ///     64 MiB.
        ///   - nativeWorkflows: The native workflows that the flow may render by name.
        ///   - workers: The workers that the flow may run by name.
        ///   - now: The time of the action in milliseconds since 1970; always 0 by default.
        ///   - principal: The name of the input's sender; `nil` for nobody.
        ///   - onPrint: Called with each printed line, and each note about a likely mistake.
        ///   - onAction: Called when an action begins to be applied.
        ///   - onWorker: Called when a node receives an event of a worker.
        ///   - checksRenders: True if renders are checked for changes to the state; by default
        ///     `false`.
        ///   - interrupt: Interrupts the flow's calls from outside.
        public init(
            limits: LuaVM.Options = LuaVM.Options(),
            nativeWorkflows: NativeWorkflows = NativeWorkflows(),
            workers: any WorkerSource = NoWorkers(),
            now: @escaping () -> Int = { 0 }, principal: @escaping () -> String? = { nil },
            onPrint: @escaping (FlowLog) -> Void = { _ in },
            onAction: ((AppliedAction) -> Void)? = nil,
            onWorker: @escaping (WorkerNews) -> Void = { _ in },
            checksRenders: Bool = false, interrupt: FlowInterrupt = FlowInterrupt()
        ) {
            self.limits = limits
            self.nativeWorkflows = nativeWorkflows
            self.workers = workers
            self.now = now
            self.principal = principal
            self.onPrint = onPrint
            self.onAction = onAction
            self.onWorker = onWorker
            self.checksRenders = checksRenders
            self.interrupt = interrupt
        }
    }
}

/// A line that a flow printed, or a note about it.
public struct FlowLog: Sendable {
    /// The text, as `print` formats it.
    public var message: String
    /// The location of the `print`, or of the note's subject.
    public var location: FlowError.Location?
    /// True if it is a note of the host about a likely mistake.
    public var isNote = false
}

extension FlowLog {
    package init(note message: String, at location: FlowError.Location? = nil) {
        self.init(message: "note: " + message, location: location, isNote: true)
    }
}

/// An action for a scripted node that begins to be applied.
public struct AppliedAction: Sendable {
    /// The path of the node.
    public var node: NodePath
    /// The action, with its `type`.
    public var action: Value
    /// The origin: `client`, `child:` and the path of the child whose output caused it, or
    /// `worker:` and the name and key of the worker.
    public var source: String
}
