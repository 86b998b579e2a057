public import PlainValue
public import Workflow

/// The state of a scripted node as a snapshot keeps it.
public struct ScriptedState: SnapshotContent, Codable {
    /// The version of the node's definition.
    public var version: Int
    /// The state; `null` for a stateless node.
    public var state: Value

    /// A state from its parts.
    public init(version: Int, state: Value) {
        self.version = version
        self.state = state
    }

    /// The state itself, or what its plain value decodes as.
    public func decode<T: Decodable>(as type: T.Type) throws -> T {
        if let own = self as? T { return own }
        return try ValueDecoder().decode(type, from: try ValueEncoder().encode(self))
    }
}

/// A state in a snapshot as a plain value: that of any node in a snapshot which was read from a file.
public struct PlainState: SnapshotContent {
    /// The value.
    public var value: Value

    /// A state from its value.
    public init(_ value: Value) { self.value = value }

    /// What the value decodes as.
    public func decode<T: Decodable>(as type: T.Type) throws -> T {
        try ValueDecoder().decode(type, from: value)
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
