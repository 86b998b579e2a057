/// Encodes the properties of a type as the entries of a record.
struct KeyedNodeEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.codingPath.keys }

    private func put(_ value: Value, _ key: any CodingKey) {
        node.append(.value(value), forKey: key.stringValue)
    }

    private func put(integer: some FixedWidthInteger, _ key: Key) throws {
        put(try context.inside(key).value(ofInteger: integer), key)
    }

    private func nest(_ key: any CodingKey) -> NodeEncoder {
        let child = EncodingNode()
        node.append(.node(child), forKey: key.stringValue)
        return NodeEncoder(node: child, context: context.inside(key))
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        put(try context.inside(key).value(of: value), key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nest(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nest(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nest(NameKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { nest(key) }

    func encodeNil(forKey key: Key) { put(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { put(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { put(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) { put(.double(value), key) }
    func encode(_ value: Float, forKey key: Key) { put(.double(Double(value)), key) }
    func encode(_ value: Int, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try put(integer: value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try put(integer: value, key) }
}
