public import PlainValue

/// The state of a node as a snapshot keeps it.
///
/// It encodes as the plain value itself, so that a snapshot written as JSON can be read by people;
/// one with a version as a record of `version` and `state`. Either is read back as a plain value
/// without a version.
public struct StateSnapshot: Hashable, Sendable {
    /// The state.
    public var value: Value
    /// The version of the definition that made the state, where the workflow counts versions.
    public var version: Int?

    /// A state from its parts.
    public init(_ value: Value, version: Int? = nil) {
        self.value = value
        self.version = version
    }
}

extension StateSnapshot: Codable {
    /// Reads a plain value.
    public init(from decoder: any Decoder) throws {
        self.init(try Value(from: decoder))
    }

    /// Writes the plain value.
    public func encode(to encoder: any Encoder) throws {
        guard let version else { return try value.encode(to: encoder) }
        try Value.record(["version": .int(version), "state": value]).encode(to: encoder)
    }
}
