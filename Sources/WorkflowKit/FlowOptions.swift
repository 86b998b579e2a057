public import LuaVM
public import PlainValue
public import WorkflowLua

/// The settings of a session.
public struct FlowOptions: Sendable {
    /// The props of the root.
    public var props: Value
    /// The limits of each call into the flow, and its seed.
    public var limits: LuaVM.Configuration
    /// Registers the native workflows that the flow may render; called once, on the session.
    public var registerNativeWorkflows: @Sendable (inout NativeWorkflows) -> Void
    /// Whether each render is checked for changes to the state, which costs a walk through the state; on by
    /// default.
    public var checksRenders: Bool
    /// How many nodes may stand above one another.
    public var maximumDepth: Int
    /// The time, in milliseconds since 1970.
    public var now: @Sendable () -> Int
    /// The name of this session in its events.
    public var sessionName: String

    /// Settings; each has a default.
    public init(
        props: Value = [:],
        limits: LuaVM.Configuration = LuaVM.Configuration(),
        checksRenders: Bool = true,
        maximumDepth: Int = 1000,
        sessionName: String = "session",
        now: @escaping @Sendable () -> Int = FlowOptions.wallClock,
        registerNativeWorkflows: @escaping @Sendable (inout NativeWorkflows) -> Void = { _ in }
    ) {
        self.props = props
        self.limits = limits
        self.checksRenders = checksRenders
        self.maximumDepth = maximumDepth
        self.sessionName = sessionName
        self.now = now
        self.registerNativeWorkflows = registerNativeWorkflows
    }
}
