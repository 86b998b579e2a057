/// A node of a running tree, as observers and interceptors see it.
public struct NodeIdentity: Sendable, Hashable, CustomStringConvertible {
    /// The number of the node within its host, in the order in which nodes were made; never used again.
    public let id: Int
    /// The number of the node's parent; `nil` for the root.
    public let parentID: Int?
    /// Where the node stands.
    public let path: NodePath

    /// The key under which the parent renders the node; empty for the root.
    public var key: String { path.components.last?.key ?? "" }

    /// The name of the node's type.
    public var name: String { path.components.last?.name ?? "" }

    /// The path and the number, such as `app/row:3 (7)`.
    public var description: String { "\(path) (\(id))" }
}
