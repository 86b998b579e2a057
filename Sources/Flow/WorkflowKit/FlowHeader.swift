public import PlainValue

/// The start of a session: everything that its renderings depend on besides its inputs.
public struct FlowHeader: Sendable, Hashable {
    /// The name of the flow.
    public var flow: String
    /// The name of the session.
    public var session: String
    /// The flow's file as it was given, if it came from one.
    public var file: String?
    /// A hash of the flow's files, in sixteen digits.
    public var hash: String
    /// The seed of its random numbers.
    public var seed: UInt64
    /// The name of whoever created the session, which the root's `state` gets as
    /// `context.principal`; `nil` if unknown.
    public var principal: String?
    /// The props of the root.
    public var props: Value
    /// The available plugins, each as its name and version.
    public var plugins: [String]
    /// The snapshot that the session was restored from, if any.
    public var snapshot: Value?
    /// The step of the timeline at which the events begin; 0 for the beginning.
    public var step: Int
    /// The time at which the session began, in milliseconds since 1970; `nil` if unknown.
    package var startTime: Int?

    /// Makes a header from its parts.
    ///
    /// - Parameters:
    ///   - flow: The name of the flow.
    ///   - session: The name of the session.
    ///   - file: The path as it was given; `nil` for a flow in a text.
    ///   - hash: A hash of the files, in sixteen digits.
    ///   - seed: The seed of the flow's random numbers.
    ///   - props: The props of the root.
    ///   - plugins: The names and versions; none by default.
    ///   - snapshot: The restored snapshot; `nil` for a new session.
    ///   - step: The step at which the events begin; 0 is the beginning.
    ///   - principal: The creator of the session; `nil` if unknown.
    public init(
        flow: String, session: String, file: String? = nil, hash: String, seed: UInt64,
        props: Value, plugins: [String] = [], snapshot: Value? = nil, step: Int = 0,
        principal: String? = nil
    ) {
        self.flow = flow
        self.session = session
        self.file = file
        self.hash = hash
        self.seed = seed
        self.props = props
        self.plugins = plugins
        self.snapshot = snapshot
        self.step = step
        self.principal = principal
    }
}
