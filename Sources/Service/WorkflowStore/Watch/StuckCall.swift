public import Workflow

/// A call into a flow that had not ended a second after its limit, as no script should.
public struct StuckCall: Sendable, Hashable {
    /// The id of the session.
    public var session: String
    /// The name of the flow.
    public var flow: String
    /// The path of the node whose function runs; `nil` outside of nodes, as for loading.
    public var node: NodePath?
    /// True if the call runs in a copy of the session, made to look at it.
    public var isInCopy: Bool

    /// Makes a call from its parts.
    ///
    /// - Parameters:
    ///   - session: The id of the session.
    ///   - flow: The name of the flow.
    ///   - node: The path of the node whose function runs; `nil` outside of nodes.
    ///   - isInCopy: True if the call runs in a copy that was made to look at the session.
    public init(session: String, flow: String, node: NodePath? = nil, isInCopy: Bool = false) {
        self.session = session
        self.flow = flow
        self.node = node
        self.isInCopy = isInCopy
    }
}
