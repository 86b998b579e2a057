public import LuaVM
public import WorkflowLua
public import WorkflowPlugins

/// The settings of a test run.
///
/// ```swift
/// var options = FlowTestOptions()
/// options.filter = "ticks"
/// options.limits.timeLimit = .seconds(2)
/// let results = try FlowTestFile(.file(file), options: options).run()
/// ```
public struct FlowTestOptions: Sendable {
    /// The limits of each test, of each function before and after it, and of loading the file; ten
    /// seconds by default. The seed applies to each flow.
    public var limits: LuaVM.Options
    /// The plugins whose workers are known. Their inputs and outputs are checked, but none runs.
    public var plugins: WorkerRegistry
    /// Runs only the tests whose full name contains this text; all by default.
    public var filter: String?
    /// The folder for recordings of failed tests, created on demand; `nil` by default.
    public var recordings: String?
    /// The folders of libraries that flows and tests may require besides those in `lua_modules`
    /// beside them. None by default.
    public var libraries: [String] = []
    /// True if passed tests are recorded too.
    package var recordsPassed = false
    /// True if `expect_golden` writes the renderings instead of comparing them.
    ///
    /// - Warning: It overwrites the files, so that wrong renderings pass too.
    public var updatesGoldens: Bool
    /// True if each render is checked for changes to the state.
    public var checksRenders: Bool
    /// The maximum number of nodes above one another; 1000 by default.
    public var maximumDepth: Int
    /// Registers the native workflows that flows may render; called once per file.
    public var registerNativeWorkflows: @Sendable (inout NativeWorkflows) -> Void

    /// Makes options; each has a default.
    ///
    /// ```swift
    /// let options = FlowTestOptions(recordings: "failures", updatesGoldens: true)
    /// ```
    ///
    /// - Parameters:
    ///   - limits: The limits of each test, and the seed of its flows; 10 s by default.
    ///   - plugins: The plugins whose workers are known; none of them runs.
    ///   - filter: A part of the full names of the tests to run; `nil` for all.
    ///   - recordings: The folder for recordings of failed tests; `nil` for none.
    ///   - updatesGoldens: True if `expect_golden` writes the renderings.
    ///   - checksRenders: True if renders are checked for changes to the state; `true` by default.
    ///   - maximumDepth: The maximum number of nodes above one another; 1000 by default.
    ///   - registerNativeWorkflows: Registers the native workflows; called once per file.
    public init(
        limits: LuaVM.Options = Self.defaultLimits,
        plugins: WorkerRegistry = WorkerRegistry(), filter: String? = nil,
        recordings: String? = nil, updatesGoldens: Bool = false, checksRenders: Bool = true,
        maximumDepth: Int = 1000,
        registerNativeWorkflows: @escaping @Sendable (inout NativeWorkflows) -> Void = { _ in }
    ) {
        self.limits = limits
        self.plugins = plugins
        self.filter = filter
        self.recordings = recordings
        self.updatesGoldens = updatesGoldens
        self.checksRenders = checksRenders
        self.maximumDepth = maximumDepth
        self.registerNativeWorkflows = registerNativeWorkflows
    }

    /// The default limits of a flow, with ten seconds for a test.
    public static var defaultLimits: LuaVM.Options {
        var limits = LuaVM.Options()
        limits.timeLimit = .seconds(10)
        return limits
    }
}
