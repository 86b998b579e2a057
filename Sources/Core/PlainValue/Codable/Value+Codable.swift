extension Value: Codable {
    /// Reads a value from any decoder.
    ///
    /// A ``ValueDecoder`` gives it unchanged. Other decoders are asked for each kind in turn.
    ///
    /// - Note: One that does not tell integers from floats gives an integer for a whole number.
    public init(from decoder: any Decoder) throws {
        if let reader = decoder as? ValueReader {
            self = reader.value
        } else if let scalar = try Value(scalarFrom: decoder) {
            self = scalar
        } else if var elements = try? decoder.unkeyedContainer() {
            var list: [Value] = []
            while !elements.isAtEnd { list.append(try elements.decode(Value.self)) }
            self = .list(List(list))
        } else {
            let entries = try decoder.container(keyedBy: NameKey.self)
            self = .record(
                Record(
                    try entries.allKeys.map { key in
                        (key.stringValue, try entries.decode(Value.self, forKey: key))
                    }))
        }
    }

    private init?(scalarFrom decoder: any Decoder) throws {
        // A decoder may refuse to give a single value for a list or record.
        guard let scalar = try? decoder.singleValueContainer() else { return nil }
        if scalar.decodeNil() {
            self = .null
        } else if let bool = try? scalar.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? scalar.decode(Int.self) {
            // Asked for before a float, because a decoder reads an integer as a float, too.
            self = .int(int)
        } else if let double = try? scalar.decode(Double.self) {
            self = .double(double)
        } else if let string = try? scalar.decode(String.self) {
            self = .string(string)
        } else {
            return nil
        }
    }

    /// Writes this value to any encoder; a ``ValueEncoder`` takes it unchanged.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? NodeEncoder { return encoder.node.set(self) }
        switch self {
        case .list(let list):
            var elements = encoder.unkeyedContainer()
            for element in list { try elements.encode(element) }
        case .record(let record):
            var entries = encoder.container(keyedBy: NameKey.self)
            for (key, value) in record { try entries.encode(value, forKey: NameKey(key)) }
        case .null, .bool, .int, .double, .string:
            var scalar = encoder.singleValueContainer()
            try encode(toScalar: &scalar)
        }
    }

    private func encode(toScalar scalar: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let bool): try scalar.encode(bool)
        case .int(let int): try scalar.encode(int)
        case .double(let double): try scalar.encode(double)
        case .string(let string): try scalar.encode(string)
        case .null, .list, .record: try scalar.encodeNil()
        }
    }
}
