/// What a node looked like at one moment, with all below it: for logs, tools and bug reports.
///
/// Values are given as text, as `String(describing:)` writes them. To keep a tree and continue it later, use a
/// ``TreeSnapshot``.
public struct NodeDescription: Codable, Hashable, Sendable {
    /// The number of the node within its host; see ``NodeIdentity/id``.
    public var id: Int
    /// The name of the node's type.
    public var name: String
    /// The key under which its parent renders it.
    public var key: String
    /// The workflow: the node's inputs.
    public var inputs: String
    /// The node's state.
    public var state: String
    /// The keys of the side effects that run, in order of declaration.
    public var sideEffects: [String]
    /// The children, in the order in which they were last rendered.
    public var children: [NodeDescription]
}

extension WorkflowHost {
    /// What the tree looks like now.
    public func describeTree() -> NodeDescription {
        touch()
        return root.describe()
    }
}
