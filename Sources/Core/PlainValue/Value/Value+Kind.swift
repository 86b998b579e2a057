extension Value {
    /// The kind of a value, without its content.
    @frozen
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The kind of ``Value/null``.
        case null
        /// The kind of ``Value/bool(_:)``.
        case bool
        /// The kind of ``Value/int(_:)``.
        case int
        /// The kind of ``Value/double(_:)``.
        case double
        /// The kind of ``Value/string(_:)``.
        case string
        /// The kind of ``Value/list(_:)``.
        case list
        /// The kind of ``Value/record(_:)``.
        case record
    }

    /// The kind of this value.
    public var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .string: .string
        case .list: .list
        case .record: .record
        }
    }
}

extension Value.Kind: CustomStringConvertible {
    /// The kind as part of a sentence: `an integer`, `a record`.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int: "an integer"
        case .double: "a float"
        case .string: "a string"
        case .list: "a list"
        case .record: "a record"
        }
    }
}
