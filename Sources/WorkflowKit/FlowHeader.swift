public import PlainValue

/// What a session starts with: all that its renderings depend on besides its inputs.
public struct FlowHeader: Sendable, Hashable {
    /// The name of the flow.
    public var flow: String
    /// The name of the session.
    public var session: String
    /// The flow's file as it was given, if it came from one.
    public var file: String?
    /// Sixteen digits that change with the text of any of the flow's files.
    public var hash: String
    /// The seed of its random numbers.
    public var seed: UInt64
    /// The props of the root.
    public var props: Value
    /// The plugins at hand, each as its name and version.
    public var plugins: [String]
    /// The snapshot that it was restored from, if it was.
    public var snapshot: Value?
    /// The step of its timeline that it was at, if it is told of from there on; otherwise 0.
    public var step: Int

    /// A header from its parts.
    public init(
        flow: String, session: String, file: String? = nil, hash: String, seed: UInt64,
        props: Value, plugins: [String] = [], snapshot: Value? = nil, step: Int = 0
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
    }
}
