/// Turns snapshot values into decodable ones.
struct SnapshotDecoder: Decoder {
    let value: SnapshotValue
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if case .content(let content) = value { return try content.decode(as: type) }
        if let plain = try plain(type) { return plain }
        return try T(from: self)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let parts) = value else { throw mismatch([String: SnapshotValue].self) }
        return KeyedDecodingContainer(Keyed<Key>(parts: parts, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([SnapshotValue].self) }
        return Unkeyed(values: values, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    // MARK: Plain types

    /// The value as one of the plain types; `nil` if `T` is another.
    private func plain<T>(_ type: T.Type) throws -> T? {
        if type == SnapshotValue.self { return value as? T }
        if type == Bool.self {
            guard case .bool(let bool) = value else { throw mismatch(type) }
            return bool as? T
        }
        if type == String.self {
            guard case .string(let string) = value else { throw mismatch(type) }
            return string as? T
        }
        if type == Double.self { return try number() as? T }
        if type == Float.self { return Float(try number()) as? T }
        if let integer = type as? any FixedWidthInteger.Type {
            return try self.integer(integer) as? T
        }
        return nil
    }

    private func number() throws -> Double {
        switch value {
        case .double(let number): number
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        default: throw mismatch(Double.self)
        }
    }

    private func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        let number: I? =
            switch value {
            case .integer(let number): I(exactly: number)
            case .unsigned(let number): I(exactly: number)
            case .double(let number): I(exactly: number)
            default: throw mismatch(type)
            }
        guard let number else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "\(value) does not fit \(type)"))
        }
        return number
    }

    private func mismatch(_ type: any Any.Type) -> DecodingError {
        .typeMismatch(
            type, .init(codingPath: codingPath, debugDescription: "\(value) is no \(type)"))
    }

    // MARK: Containers; a generic method serves each of the requirements for one plain type.

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let parts: [String: SnapshotValue]
        let codingPath: [any CodingKey]

        var allKeys: [Key] { parts.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { parts[key.stringValue] != nil }

        private func decoder(_ key: any CodingKey) throws -> SnapshotDecoder {
            guard let value = parts[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key,
                    .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing")
                )
            }
            return SnapshotDecoder(value: value, codingPath: codingPath + [key])
        }

        func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try decoder(key).decode(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { try decoder(SnapshotKey("super")) }

        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let values: [SnapshotValue]
        let codingPath: [any CodingKey]
        private(set) var currentIndex = 0

        init(values: [SnapshotValue], codingPath: [any CodingKey]) {
            self.values = values
            self.codingPath = codingPath
        }

        var count: Int? { values.count }
        var isAtEnd: Bool { currentIndex >= values.count }

        private mutating func next() throws -> SnapshotDecoder {
            let path = codingPath + [SnapshotKey(index: currentIndex)]
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    SnapshotValue.self, .init(codingPath: path, debugDescription: "the list ends"))
            }
            defer { currentIndex += 1 }
            return SnapshotDecoder(value: values[currentIndex], codingPath: path)
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, values[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: SnapshotDecoder

        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.value == .null }

        func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
    }
}
