/// Gives types samples instead of values, and notes what they ask for.
struct RecordingDecoder: Decoder {
    let recorder: SchemaRecorder
    let node: SchemaNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func inside(_ key: any CodingKey, _ node: SchemaNode) -> RecordingDecoder {
        RecordingDecoder(recorder: recorder, node: node, codingPath: codingPath + [key])
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        node.isKeyed = true
        return KeyedDecodingContainer(KeyedRecorder<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        if node.element == nil { node.element = SchemaNode() }
        return UnkeyedRecorder(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleRecorder(decoder: self)
    }

    func sample<T: Decodable>(_ type: T.Type) throws -> T {
        let (value, schema) = try recorder.sample(of: type)
        node.scalar = schema
        return value
    }

    func sample(_ type: Bool.Type) -> Bool {
        node.scalar = .boolean
        return false
    }

    func sample(_ type: String.Type) -> String {
        node.scalar = .string
        return ""
    }

    func number<Number: BinaryFloatingPoint>(_ type: Number.Type) -> Number {
        node.scalar = .number
        return 0
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        node.scalar = .integer
        return 0
    }
}

/// Notes the fields that a type asks for.
private struct KeyedRecorder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RecordingDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { [] }

    private func at(_ key: any CodingKey) -> RecordingDecoder {
        decoder.inside(key, decoder.node.field(key.stringValue))
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        decoder.node.optional.insert(key.stringValue)
        return false
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
        decoder.node.optional.insert(key.stringValue)
        decoder.node.field(key.stringValue).scalar = decoder.recorder.schema(of: type)
        return nil
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try at(key).sample(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { at(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        at(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { at(key) }

    func decode(_ type: Bool.Type, forKey key: Key) -> Bool { at(key).sample(type) }
    func decode(_ type: String.Type, forKey key: Key) -> String { at(key).sample(type) }
    func decode(_ type: Double.Type, forKey key: Key) -> Double { at(key).number(type) }
    func decode(_ type: Float.Type, forKey key: Key) -> Float { at(key).number(type) }
    func decode(_ type: Int.Type, forKey key: Key) -> Int { at(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) -> Int8 { at(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) -> Int16 { at(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) -> Int32 { at(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { at(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) -> UInt { at(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) -> UInt8 { at(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) -> UInt16 { at(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) -> UInt32 { at(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) -> UInt64 { at(key).integer(type) }
}

/// Notes the element that a type asks for; to a type that looks first, the list is empty.
private struct UnkeyedRecorder: UnkeyedDecodingContainer {
    let decoder: RecordingDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    private var element: RecordingDecoder {
        RecordingDecoder(
            recorder: decoder.recorder, node: decoder.node.element ?? SchemaNode(),
            codingPath: codingPath)
    }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try element.sample(type) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> { element.container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { element.unkeyedContainer() }
    func superDecoder() -> any Decoder { element }
    func decode(_ type: Bool.Type) -> Bool { element.sample(type) }
    func decode(_ type: String.Type) -> String { element.sample(type) }
    func decode(_ type: Double.Type) -> Double { element.number(type) }
    func decode(_ type: Float.Type) -> Float { element.number(type) }
    func decode(_ type: Int.Type) -> Int { element.integer(type) }
    func decode(_ type: Int8.Type) -> Int8 { element.integer(type) }
    func decode(_ type: Int16.Type) -> Int16 { element.integer(type) }
    func decode(_ type: Int32.Type) -> Int32 { element.integer(type) }
    func decode(_ type: Int64.Type) -> Int64 { element.integer(type) }
    func decode(_ type: UInt.Type) -> UInt { element.integer(type) }
    func decode(_ type: UInt8.Type) -> UInt8 { element.integer(type) }
    func decode(_ type: UInt16.Type) -> UInt16 { element.integer(type) }
    func decode(_ type: UInt32.Type) -> UInt32 { element.integer(type) }
    func decode(_ type: UInt64.Type) -> UInt64 { element.integer(type) }
}

/// Notes the one value that a type asks for.
private struct SingleRecorder: SingleValueDecodingContainer {
    let decoder: RecordingDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.sample(type) }
    func decode(_ type: Bool.Type) -> Bool { decoder.sample(type) }
    func decode(_ type: String.Type) -> String { decoder.sample(type) }
    func decode(_ type: Double.Type) -> Double { decoder.number(type) }
    func decode(_ type: Float.Type) -> Float { decoder.number(type) }
    func decode(_ type: Int.Type) -> Int { decoder.integer(type) }
    func decode(_ type: Int8.Type) -> Int8 { decoder.integer(type) }
    func decode(_ type: Int16.Type) -> Int16 { decoder.integer(type) }
    func decode(_ type: Int32.Type) -> Int32 { decoder.integer(type) }
    func decode(_ type: Int64.Type) -> Int64 { decoder.integer(type) }
    func decode(_ type: UInt.Type) -> UInt { decoder.integer(type) }
    func decode(_ type: UInt8.Type) -> UInt8 { decoder.integer(type) }
    func decode(_ type: UInt16.Type) -> UInt16 { decoder.integer(type) }
    func decode(_ type: UInt32.Type) -> UInt32 { decoder.integer(type) }
    func decode(_ type: UInt64.Type) -> UInt64 { decoder.integer(type) }
}
