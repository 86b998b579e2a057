/// Identifies a node of a running tree to observers and interceptors.
public struct NodeIdentity: Sendable, Hashable, CustomStringConvertible {
    /// The number of the node within its host, in order of creation; never reused.
    public let id: Int
    /// The number of the node's parent; `nil` for the root.
    public let parentID: Int?
    /// The position of the node.
    public let path: NodePath

    /// The key under which the parent renders the node; empty for the root.
    public var key: String { path.components.last?.key ?? "" }

    /// The name of the node's type.
    public var name: String { path.components.last?.name ?? "" }

    /// The path and the number, such as `app/row:3 (7)`.
    public var description: String { "\(path) (\(id))" }
}
