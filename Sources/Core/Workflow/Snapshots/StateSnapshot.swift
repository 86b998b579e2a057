public import PlainValue

/// The state of a node in a snapshot.
///
/// It encodes as the plain value itself, or with a version as a record of `version` and `state`, so
/// that people can read it in JSON. Either is decoded as a plain value without a version.
public struct StateSnapshot: Hashable, Sendable {
    /// The state.
    public var value: Value
    /// The version of the definition that made the state, if the workflow has versions.
    public var version: Int?
    /// The label that tells the state's definition from others of its name; `nil` without others.
    public var definition: String?

    /// Makes a state from its parts.
    ///
    /// ```swift
    /// let cups = StateSnapshot(.record(["cups": 2]), version: 3)
    /// ```
    ///
    /// - Parameters:
    ///   - value: The encoded state.
    ///   - version: The version of the definition; `nil` for a workflow without versions.
    ///   - definition: The label of the definition; `nil` if no other has its name.
    public init(_ value: Value, version: Int? = nil, definition: String? = nil) {
        self.value = value
        self.version = version
        self.definition = definition
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
