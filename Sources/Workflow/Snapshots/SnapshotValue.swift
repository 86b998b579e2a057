/// A value in a form that any format can carry: what a node's state becomes in a ``TreeSnapshot``.
///
/// It encodes as the plain value itself, so that a snapshot written as JSON can be read by people. A format that does not tell
/// whole floating-point numbers from integers gives those back as integers, which decode as either.
public enum SnapshotValue: Sendable {
    /// No value.
    case null
    /// A truth value.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// An integer that is too large for ``integer(_:)``.
    case unsigned(UInt64)
    /// A floating-point number.
    case double(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([SnapshotValue])
    /// A value of named parts.
    case object([String: SnapshotValue])
    /// A value in a form of its own, which is not taken apart before it is written somewhere.
    case content(any SnapshotContent)

    /// The value that `encodable` encodes itself as.
    ///
    /// - Throws: What `encodable` throws.
    public init(encoding encodable: some Encodable) throws {
        self = try SnapshotEncoder.encode(encodable, at: [])
    }

    /// The `T` that this value decodes as.
    ///
    /// - Throws: `DecodingError`, and what `T` throws.
    public func decode<T: Decodable>(as type: T.Type = T.self) throws -> T {
        if case .content(let content) = self { return try content.decode(as: type) }
        return try SnapshotDecoder(value: self, codingPath: []).decode(type)
    }
}

extension SnapshotValue: Codable {
    /// Reads a plain value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([SnapshotValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: SnapshotValue].self))
        }
    }

    /// Writes the plain value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        case .content(let value): try container.encode(value)
        }
    }
}
