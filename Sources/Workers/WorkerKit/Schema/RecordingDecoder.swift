/// A decoder that gives samples instead of values, and records the requests.
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
}

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
}

/// Records the element that a type requests. A type that checks first finds an empty list.
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
}

private struct SingleRecorder: SingleValueDecodingContainer {
    let decoder: RecordingDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.sample(type) }
}
