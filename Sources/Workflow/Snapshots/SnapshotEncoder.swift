/// Turns encodable values into snapshot values.
struct SnapshotEncoder: Encoder {
    /// A value under construction, shared by the containers that fill it.
    final class Slot {
        enum Content {
            case value(SnapshotValue)
            case array([Slot])
            case object([String: Slot])
        }

        var content = Content.object([:])

        var value: SnapshotValue {
            switch content {
            case .value(let value): value
            case .array(let slots): .array(slots.map(\.value))
            case .object(let slots): .object(slots.mapValues(\.value))
            }
        }

        func append() -> Slot {
            let slot = Slot()
            var slots: [Slot] = if case .array(let known) = content { known } else { [] }
            slots.append(slot)
            content = .array(slots)
            return slot
        }

        func part(_ name: String) -> Slot {
            let slot = Slot()
            var slots: [String: Slot] = if case .object(let known) = content { known } else { [:] }
            slots[name] = slot
            content = .object(slots)
            return slot
        }
    }

    let slot: Slot
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    static func encode(_ value: some Encodable, at path: [any CodingKey]) throws -> SnapshotValue {
        let slot = Slot()
        try SnapshotEncoder(slot: slot, codingPath: path).encode(value)
        return slot.value
    }

    func encode(_ value: some Encodable) throws {
        if let plain = SnapshotValue(plain: value) {
            slot.content = .value(plain)
        } else {
            try value.encode(to: self)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = slot.content {} else { slot.content = .object([:]) }
        return KeyedEncodingContainer(Keyed<Key>(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array = slot.content {} else { slot.content = .array([]) }
        return Unkeyed(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(slot: slot, codingPath: codingPath)
    }

    // A generic method serves each of the requirements for one plain type.

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let slot: Slot
        let codingPath: [any CodingKey]

        private func encoder(_ key: any CodingKey) -> SnapshotEncoder {
            SnapshotEncoder(slot: slot.part(key.stringValue), codingPath: codingPath + [key])
        }

        func encodeNil(forKey key: Key) { encoder(key).slot.content = .value(.null) }

        func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
            try encoder(key).encode(value)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            encoder(key).container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder(key).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { encoder(SnapshotKey("super")) }

        func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let slot: Slot
        let codingPath: [any CodingKey]

        var count: Int { if case .array(let slots) = slot.content { slots.count } else { 0 } }

        private func encoder() -> SnapshotEncoder {
            let key = SnapshotKey(index: count)
            return SnapshotEncoder(slot: slot.append(), codingPath: codingPath + [key])
        }

        func encodeNil() { encoder().slot.content = .value(.null) }

        func encode<T: Encodable>(_ value: T) throws { try encoder().encode(value) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            encoder().container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            encoder().unkeyedContainer()
        }

        func superEncoder() -> any Encoder { encoder() }
    }

    private struct Single: SingleValueEncodingContainer {
        let slot: Slot
        let codingPath: [any CodingKey]

        func encodeNil() { slot.content = .value(.null) }

        func encode<T: Encodable>(_ value: T) throws {
            try SnapshotEncoder(slot: slot, codingPath: codingPath).encode(value)
        }
    }
}

/// A name or a place in a coding path.
struct SnapshotKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(index: intValue) }
}

extension SnapshotValue {
    /// The snapshot of a value of one of the plain types; `nil` for any other.
    fileprivate init?<T>(plain value: T) {
        switch value {
        case let value as SnapshotValue: self = value
        case let value as Bool: self = .bool(value)
        case let value as String: self = .string(value)
        case let value as Double: self = .double(value)
        case let value as Float: self = .double(Double(value))
        case let value as any FixedWidthInteger:
            if let small = Int64(exactly: value) {
                self = .integer(small)
            } else if let large = UInt64(exactly: value) {
                self = .unsigned(large)
            } else {
                return nil
            }
        default: return nil
        }
    }
}
