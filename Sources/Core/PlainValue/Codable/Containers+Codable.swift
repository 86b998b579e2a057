extension Value.List: Codable {
    /// Reads a list from any decoder.
    public init(from decoder: any Decoder) throws {
        let value = try Value(from: decoder)
        switch value {
        case .list(let list): self = list
        case .record(let record) where record.isEmpty: self.init()
        default: throw DecodingError.wrongKind(Value.List.self, "a list", value, decoder)
        }
    }

    /// Writes this list to any encoder.
    public func encode(to encoder: any Encoder) throws {
        try Value.list(self).encode(to: encoder)
    }
}

extension Value.Record: Codable {
    /// Reads a record from any decoder.
    public init(from decoder: any Decoder) throws {
        let value = try Value(from: decoder)
        switch value {
        case .record(let record): self = record
        case .list(let list) where list.isEmpty: self.init()
        default: throw DecodingError.wrongKind(Value.Record.self, "a record", value, decoder)
        }
    }

    /// Writes this record to any encoder.
    public func encode(to encoder: any Encoder) throws {
        try Value.record(self).encode(to: encoder)
    }
}

extension DecodingError {
    fileprivate static func wrongKind<T>(
        _ type: T.Type, _ expected: String, _ value: Value, _ decoder: any Decoder
    ) -> DecodingError {
        if let reader = decoder as? ValueReader {
            return reader.context.mismatch(type, expected: expected, found: value)
        }
        let context = Context(
            codingPath: decoder.codingPath,
            debugDescription: "expected \(expected), found \(value.kind)")
        return .typeMismatch(type, context)
    }
}
