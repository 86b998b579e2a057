struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: Value.Record
    let context: DecodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }
    var allKeys: [Key] { record.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { record.index(forKey: key.stringValue) != nil }

    private func entry(_ key: any CodingKey) throws -> ScalarReader {
        guard let value = record[key.stringValue] else { throw context.missing(key) }
        return ScalarReader(value: value, outer: context, key: key)
    }

    private func nest(_ key: any CodingKey) throws -> ValueReader {
        try entry(key).reader
    }

    func decodeNil(forKey key: Key) throws -> Bool { try entry(key).value.isNull }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try entry(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nest(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nest(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { superDecoder(at: NameKey.super) }
    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

    private func superDecoder(at key: any CodingKey) -> any Decoder {
        ValueReader(value: record[key.stringValue] ?? .null, context: context.inside(key))
    }
}
